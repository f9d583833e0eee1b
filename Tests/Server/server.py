#!/usr/bin/env python3
"""The HTTP server of the tests: serves a folder on a free port of the loopback interface, and misbehaves on demand.

    server.py FOLDER

Prints `port N`, then serves until standard input ends, so it never outlives the test that started it.

How it misbehaves stands in the address, so that what a playlist names relatively inherits it:

    /~OPTION=VALUE,OPTION/path/in/folder

status=CODE        every answer has this status
fail=N[:CODE]      the first N requests of a path get CODE (503); with retryafter=S that header too
drop=N             the connection of the first N requests of a path is closed without an answer
delay=S            seconds before the answer
truncate=B[:N]     the body ends after B bytes, though more were announced; for the first N requests (all)
length=D           the announced length is wrong by D
nolength           no length is announced: the body ends with the connection
chunked            the body comes in chunks
slow=R             R bytes a second
stall=B[:N]        nothing more comes after B bytes, for the first N requests (all)
norange            ranges are ignored
wrongrange         another range than the one asked for is sent, and told so
gzip               compressed where the client accepts it
cookie=K:V         sets a cookie          need=K:V  answers 403 without this cookie
etag=T, noetag     the entity tag; none at all
change=N           after N requests of a path its content and entity tag are others
redirect=URL       302 to URL (percent-encoded); redirects=N: N times to itself, then the content
headers=N          N kilobytes of header fields
type=T             the content type
random=SEED:P      a fault chosen by seed, path and number of the request, in P of 100 requests

/_bytes/N          N bytes that depend on their place only
/_endless          a body without an end
/_bomb/N           N megabytes of zeros, compressed
/_huge/N           a body announced as N bytes, of which few come
/_live/KEY/N/W     a live playlist: each request shows a window of W segments, moved by one, of N in all
/_log              the requests so far, one a line: method, path, range, cookie, number
"""
import gzip, hashlib, os, sys, threading, time, urllib.parse, zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER = os.path.realpath(sys.argv[1])
lock, counts, log = threading.Lock(), {}, []
TYPES = {".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t", ".mp4": "video/mp4", ".m4s": "video/iso.segment",
         ".vtt": "text/vtt", ".aac": "audio/aac"}
FAULTS = ["status=500", "status=503", "drop=9", "truncate=%d", "stall=%d", "length=7", "length=-7", "wrongrange",
          "change=0", "norange", "status=404", "chunked", "delay=0.05", "nolength"]


def some_bytes(start, count):
    """Bytes by their place: the 4-byte word n is a scrambled n."""
    out = bytearray()
    first = start // 4
    for word in range(first, (start + count) // 4 + 1):
        out += ((word * 2654435761 + 12345) & 0xFFFFFFFF).to_bytes(4, "little")
    skip = start - first * 4
    return bytes(out[skip:skip + count])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, *_): pass

    def do_HEAD(self): self.answer()
    def do_GET(self): self.answer()

    def answer(self):
        try: self.serve()
        except (BrokenPipeError, ConnectionResetError, TimeoutError): self.close_connection = True

    def serve(self):
        path = self.path.split("?")[0]
        with lock:
            number = counts[self.path] = counts.get(self.path, 0) + 1
            if path != "/_log":
                log.append("\t".join([self.command, self.path, self.headers.get("Range", "-"),
                                      self.headers.get("Cookie", "-"), str(number)]))
        options = {}
        if path.startswith("/~"):
            head, _, rest = path[2:].partition("/")
            path = "/" + rest
            for item in filter(None, head.split(",")):
                key, _, value = item.partition("=")
                options[key] = urllib.parse.unquote(value)
        if "random" in options: self.choose_fault(options, path, number)
        if "delay" in options: time.sleep(float(options["delay"]))
        if number <= int(options.get("drop", 0)):
            self.close_connection = True
            return
        if "fail" in options:
            times, _, code = options["fail"].partition(":")
            if number <= int(times): return self.plain(int(code or 503), "failing as told\n", options)
        if "status" in options: return self.plain(int(options["status"]), "as told\n", options)
        if "need" in options:
            name, _, value = options["need"].partition(":")
            if f"{name}={value}" not in self.headers.get("Cookie", "").split("; "):
                return self.plain(403, "cookie missing\n", options)
        if "redirect" in options: return self.redirect(options["redirect"], options)
        if number <= int(options.get("redirects", 0)): return self.redirect(self.path, options)
        self.content(path, options, number)

    def choose_fault(self, options, path, number):
        seed, _, percent = options.pop("random").partition(":")
        digest = hashlib.sha256(f"{seed} {path} {number}".encode()).digest()
        if digest[0] * 100 // 256 >= int(percent): return
        fault = FAULTS[digest[1] % len(FAULTS)]
        if "%d" in fault: fault = fault % (digest[2] * 64)
        key, _, value = fault.partition("=")
        options[key] = value
        # Each changed content is another one: a server that twice sends the same is not at fault.
        options["salt"] = str(number)

    def content(self, path, options, number):
        parts = path.split("/")
        if path == "/_log": return self.plain(200, "".join(line + "\n" for line in log), options)
        if parts[1] == "_bytes": return self.send(some_bytes(0, int(parts[2])), "application/octet-stream", options, number)
        if parts[1] == "_endless": return self.endless()
        if parts[1] == "_bomb": return self.bomb(int(parts[2]))
        if parts[1] == "_huge": return self.huge(int(parts[2]))
        if parts[1] == "_live": return self.live(parts[2], int(parts[3]), int(parts[4]), options, number)
        file = os.path.realpath(os.path.join(FOLDER, urllib.parse.unquote(path.lstrip("/"))))
        if not file.startswith(FOLDER + os.sep) or not os.path.isfile(file):
            return self.plain(404, "no such file\n", options)
        with open(file, "rb") as opened: body = opened.read()
        self.send(body, TYPES.get(os.path.splitext(file)[1], "application/octet-stream"), options, number)

    def plain(self, code, text, options):
        body = text.encode()
        self.send_response(code)
        if "retryafter" in options: self.send_header("Retry-After", options["retryafter"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD": self.wfile.write(body)

    def redirect(self, target, options):
        self.send_response(int(options.get("code", 302)))
        self.send_header("Location", target)
        if "cookie" in options: self.send_header("Set-Cookie", options["cookie"].replace(":", "=", 1))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def send(self, body, kind, options, number):
        if "change" in options and number > int(options["change"]):
            salt = int(options.get("salt", 0))
            body = bytes(b ^ (2 * salt + 1) & 0xFF for b in body[:64]) + body[64:]
            options["etag"] = f"{options.get('etag', '')}changed{salt}"
        tag = '"%s"' % options.get("etag", hashlib.sha256(body).hexdigest()[:16])
        total, start, status = len(body), 0, 200
        wanted = self.headers.get("Range")
        matches = self.headers.get("If-Range", tag) == tag and "noetag" not in options
        if wanted and wanted.startswith("bytes=") and "norange" not in options and (
                matches or "If-Range" not in self.headers):
            low, _, high = wanted[6:].partition("-")
            start = int(low) if low else max(total - int(high), 0)
            end = min(int(high), total - 1) if low and high else total - 1
            if start >= total or start > end:
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{total}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if "wrongrange" in options and start > 0: start, end = start - 1, end - 1
            body, status = body[start:end + 1], 206
        self.send_response(status)
        if status == 206: self.send_header("Content-Range", f"bytes {start}-{start + len(body) - 1}/{total}")
        if "norange" not in options: self.send_header("Accept-Ranges", "bytes")
        if "noetag" not in options: self.send_header("ETag", tag)
        if "cookie" in options: self.send_header("Set-Cookie", options["cookie"].replace(":", "=", 1))
        for index in range(int(options.get("headers", 0))): self.send_header(f"X-Filler-{index}", "x" * 1000)
        self.send_header("Content-Type", options.get("type", kind))
        if "gzip" in options and "gzip" in self.headers.get("Accept-Encoding", "") and status == 200:
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        announced = len(body) + int(options.get("length", 0))
        if "chunked" in options: self.send_header("Transfer-Encoding", "chunked")
        elif "nolength" in options: self.send_header("Connection", "close")
        else: self.send_header("Content-Length", str(announced))
        self.end_headers()
        if self.command == "HEAD": return
        if announced != len(body) or "nolength" in options: self.close_connection = True
        self.body(body, options, number)

    def limit(self, options, name, number):
        """The byte after which the body misbehaves, or None."""
        if name not in options: return None
        byte, _, times = options[name].partition(":")
        return int(byte) if not times or number <= int(times) else None

    def body(self, body, options, number):
        cut, stall = self.limit(options, "truncate", number), self.limit(options, "stall", number)
        rate = int(options.get("slow", 0))
        piece = max(rate // 20, 1) if rate else 1 << 16
        end = min(x for x in (cut, stall, len(body)) if x is not None)
        place = 0
        while place < end:
            part = body[place:min(place + piece, end)]
            if "chunked" in options: part = b"%x\r\n%s\r\n" % (len(part), part)
            self.wfile.write(part)
            place += piece
            if rate:
                self.wfile.flush()
                time.sleep(piece / rate)
        if end < len(body):
            self.wfile.flush()
            self.close_connection = True
            if stall is not None and end == stall: self.connection.recv(1)
        elif "chunked" in options: self.wfile.write(b"0\r\n\r\n")

    def endless(self):
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        self.wfile.write(b"#EXTM3U\n#EXT-X-TARGETDURATION:4\n")
        while True: self.wfile.write(b"#EXTINF:4,\nsegment.ts\n" * 1000)

    def bomb(self, megabytes):
        squeeze, zeros = zlib.compressobj(9, zlib.DEFLATED, 31), bytes(1 << 20)
        body = b"".join(squeeze.compress(zeros) for _ in range(megabytes)) + squeeze.flush()
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def huge(self, count):
        self.send_response(200)
        self.send_header("Content-Length", str(count))
        self.end_headers()
        self.close_connection = True
        self.wfile.write(b"#EXTM3U\n" * 1000)
        self.wfile.flush()
        self.connection.recv(1)

    def live(self, key, total, window, options, number):
        first = min(number - 1, max(total - window, 0))
        lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1", f"#EXT-X-MEDIA-SEQUENCE:{first}"]
        for index in range(first, min(first + window, total)):
            lines += ["#EXTINF:1.0,", f"/_bytes/{1880 + 188 * index}"]
        if first + window >= total and "endless" not in options: lines.append("#EXT-X-ENDLIST")
        self.send(("\n".join(lines) + "\n").encode(), TYPES[".m3u8"], options, 1)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_): pass


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("port", server.server_address[1], flush=True)
sys.stdin.read()
os._exit(0)
