// Opening what the user names: a file, standard input, or an address of the web.

import ReelCore
import ReelCurl
import ReelIO
import ReelKit
import Synchronization

extension Arguments {
  /// Options of every command that opens inputs.
  static let networkOptions = [Option("--allow-private-network")]

  /// Opens inputs as the options say.
  var inputs: InputOpener {
    var policy = NetworkPolicy()
    policy.allowsPrivateNetwork = has("--allow-private-network")
    return InputOpener(policy: policy)
  }
}

/// Opens inputs. libcurl is loaded when the first address of the web is asked for.
final class InputOpener: ResourceLoader {
  private let policy: NetworkPolicy
  private let shared = Mutex<HTTPClient?>(nil)

  init(policy: NetworkPolicy) { self.policy = policy }

  /// The client of this command, made when it is first asked for.
  func client() throws(MediaError) -> HTTPClient {
    try shared.withLock { (shared) throws(MediaError) in
      if let shared { return shared }
      let client = HTTPClient(transport: try CurlTransport(), policy: policy)
      shared = client
      return client
    }
  }

  /// The bytes of an input.
  func source(_ name: String) throws(MediaError) -> any ByteSource {
    if WebAddress.looksLikeOne(name) { return try HTTPByteSource(name, client: client()) }
    return try FileSource.open(path: name == "-" ? name : FileAddress.path(name))
  }

  func asset(_ name: String) throws(MediaError) -> Asset {
    let source = try source(name)
    guard name != "-", try Asset.isPlaylist(source) else { return try .open(source) }
    return try .open(playlist: name, loader: self)
  }

  func load(_ request: ResourceRequest) throws(MediaError) -> Resource {
    guard WebAddress.looksLikeOne(request.address) else { return try MediaLoader().load(request) }
    return try client().load(request)
  }
}
