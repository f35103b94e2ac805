import CPlatform
import Glibc
import Ingestion

/// The program that opens foreign files, each in a confined child of its own.
@main
struct Main {
  static func main() {
    switch Array(CommandLine.arguments.dropFirst()) {
    case [ReaderDescriptors.forkServerArgument]: serve()
    case [ReaderDescriptors.trialArgument]: exit(ConfinementTrial.run())
    default:
      let message = Array("alcove-reader is started by alcove, which tells it what to read.\n".utf8)
      _ = write(STDERR_FILENO, message, message.count)
      exit(2)
    }
  }

  private static func serve() -> Never {
    cp_close_from(ReaderDescriptors.control + 1)
    Rehearsal.run()
    var job = cp_fork_server_job()
    switch cp_fork_server_serve(ReaderDescriptors.control, &job) {
    case 1: ConfinedReading(job: job).run()
    case 0: exit(0)
    default: break
    }
    exit(1)
  }
}
