// What the process has used so far.

import Glibc

/// Processor time of all threads, and the most memory at one time.
struct ProcessUsage {
  let microseconds: Int
  let peakKilobytes: Int

  init() {
    var usage = rusage()
    // SAFETY: getrusage fills the structure it is given and keeps no pointer.
    _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    microseconds =
      (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
      + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    peakKilobytes = usage.ru_maxrss
  }
}
