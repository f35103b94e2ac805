import CPlatform
import Glibc
import Ingestion

/// The program that opens foreign files, each in a confined child of its own.
@main
struct Main {
  static func main() {
    guard CommandLine.arguments.dropFirst().elementsEqual([ReaderDescriptors.nurseryArgument]) else {
      let message = Array("alcove-reader is started by alcove, which tells it what to read.\n".utf8)
      _ = write(STDERR_FILENO, message, message.count)
      exit(2)
    }
    cp_close_from(ReaderDescriptors.control + 1)
    Rehearsal.run()
    var job = cp_nursery_job()
    switch cp_nursery_serve(ReaderDescriptors.control, &job) {
    case 1: ConfinedReading(job: job).run()
    case 0: exit(0)
    default: exit(1)
    }
  }
}
