import ModelStore
import Platform

extension ErrorSentence {
  /// Says why a download waits, pauses or failed.
  /// - Parameter reason: what the record or the event holds: facts, or words of an earlier version, which stay.
  package static func describe(download reason: String?) -> String {
    guard let reason else { return "no reason given" }
    return DownloadReason(coded: reason).map { describe($0) } ?? reason
  }

  /// Says why a download waits, pauses or failed.
  package static func describe(_ reason: DownloadReason) -> String {
    switch reason {
    case .paused: "paused"
    case .starterEnded: "the program that started the download has ended"
    case .checking: "checking the blocks that are here"
    case .busy: "another process is fetching this file"
    case .badAddress: "the address is not valid"
    case .refusedAddress(let refusal): describe(refusal)
    case .connection(let fault): describe(fault)
    case .server(let fault): describe(fault)
    case .hub(let fault): describe(fault)
    case .notAModel(let fault): "it \(describe(fault))"
    case .endlessHeader: "the file is no sound model: its header does not end"
    case .doesNotFit(let needed, let memory):
      "the model needs at least \(needed.memorySize), and this machine has \(memory.memorySize); try a smaller "
        + "quantization, or --force"
    case .otherHash(let found, let expected, let isSecond):
      "the file has the SHA-256 \(found) instead of \(expected)"
        + (isSecond
          ? ", even after every block was fetched again and compared"
          : "; pulling it again compares it block by block")
    case .blocksMissing: "some blocks are missing; pulling the model again fetches them"
    case .nameTaken(let file): "another file called \(file) is in the folder of models now"
    case .repair(let model, let fault): describe(fault, of: model)
    case .diskFull(let missing): "the disk is full: \(missing.memorySize) are missing"
    case .notWritten(let code): "the file cannot be written: \(SystemMessage.of(code))"
    case .notReadBack: "what was downloaded cannot be read back"
    case .noDownload(let id): "there is no download with the number \(id)"
    case .store(.database(let error)): "the database of downloads cannot be written: \(describe(error))"
    case .store(let error): Explanation.of(error).sentence
    }
  }

  private static func describe(_ refusal: RedirectRule.Refusal) -> String {
    switch refusal {
    case .malformed(let address): "'\(address)' is not an address that can be opened"
    case .scheme(let scheme): "addresses that begin with \(scheme): are not opened, only https and http"
    case .leavesEncryption(let host):
      "the server redirects to \(host) without encryption, which only a host you name may do"
    case .privateAddress(let host, let address):
      "\(host) leads to the private address \(address), which only a host you name may do"
    }
  }

  private static func describe(_ fault: ConnectionFault) -> String {
    switch fault {
    case .noAddress: "the server has no address"
    case .unreachable: "the server cannot be reached"
    case .badCertificate: "the server's certificate is not valid"
    case .endlessRedirects: "the server redirects without end"
    case .broken: "the connection broke"
    case .failed(let detail): detail
    case .closedEarly: "the server closed the connection too early"
    case .notHTTP: "the server's answer is not valid HTTP"
    case .sentMore: "the server sent more than it announced"
    case .stalled: "the connection stalled"
    case .silent: "the server does not answer"
    case .noAnswer: "the server gave no answer"
    }
  }

  private static func describe(_ fault: ServerFault) -> String {
    switch fault {
    case .compressed(let coding): "the server sends the file compressed (\(coding)), which was not asked for"
    case .webPage: "the server sends a web page instead of the file"
    case .otherFormat: "the server sends a file that is neither GGUF nor safetensors"
    case .accessRefused(let status):
      "the server refuses access (status \(status)); a gated model needs a token in HF_TOKEN"
    case .noSuchFile(let status): "the server has no such file (status \(status))"
    case .status(let status): "the server answered with status \(status)"
    case .unknownRange: "the server does not say which part of the file it sends"
    case .otherRange(let first, let end): "the server sends bytes \(first) to \(end) instead of those asked for"
    case .otherLength(let announced, let expected):
      "the server announces \(announced) bytes for a part of \(expected)"
    case .unknownSize: "the server does not say how large the file is"
    case .shorter: "the server says that the file is shorter than that"
    case .otherSize(let found, let expected):
      "the file has \(found) bytes instead of the \(expected) it should have"
    case .keepsChanging: "the file on the server keeps changing"
    }
  }

  private static func describe(_ fault: HubFault) -> String {
    switch fault {
    case .notARepository(let text): "'\(text)' is not a repository (OWNER/NAME)"
    case .badAddress(let address): "'\(address)' is not a valid address"
    case .unreadable: "the hub's answer cannot be read"
    case .silent: "the hub does not answer"
    case .status(let status): "the hub answered with status \(status)"
    case .noSuchRepository: "the hub has no such repository"
    }
  }

  private static func describe(_ fault: RepairFault, of model: String) -> String {
    switch fault {
    case .noModel: "there is no model called \(model)"
    case .notDownloaded: "\(model) was not downloaded, so there is no address to repair it from"
    case .notOpened(let code): "\(model) cannot be opened: \(SystemMessage.of(code))"
    case .busy: "another process is repairing \(model)"
    case .unknownHashes: "the hashes of the blocks of \(model) are not known, so it cannot be repaired"
    case .changed: "the file on the server has changed since the download"
    case .otherBlock(let block): "block \(block) comes from the server with another hash than at first"
    }
  }
}
