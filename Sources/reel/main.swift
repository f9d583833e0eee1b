// The command line.

import ReelRendering

print("reel: nothing to do yet")
