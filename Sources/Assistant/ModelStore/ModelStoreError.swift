import ModelFormats
import Persistence

/// Error with a model on this machine or on its way to it.
package enum ModelStoreError: Error, Sendable, Equatable, Codable {
  /// A file or folder cannot be used; `code` is the system's error number.
  case file(path: String, call: String, code: Int32)
  /// The store's database refused.
  case database(DatabaseError)
  /// The catalogue cannot be read.
  case catalogue(path: String, fault: CatalogueFault)
  /// Name of no model, download or catalogue entry.
  case unknown(name: String)
  /// A file of that name is there already and is another one.
  case exists(name: String)
  /// A file that should be a model is none.
  case notAModel(path: String, fault: ModelFileFault)
  /// Text that was named as a model's address cannot be one.
  case badAddress(String, fault: AddressFault)
  /// The disk lacks room.
  case diskFull(missing: Int, path: String)
  /// The content is not what it should be.
  case wrongHash(path: String, expected: String, found: String)
  /// Another process is fetching the same file.
  case busy(name: String)
}

/// Fault of a file that is no model.
package enum ModelFileFault: Sendable, Equatable, Codable {
  /// Web page: an error told in HTML, or a log-in.
  case webPage
  /// Empty file.
  case empty
  /// Fault in the header.
  case header(GGUFError)
  /// Fault in the list of tensors.
  case tensors(SafetensorsError)
  /// Unknown file format.
  case unknownForm
}

/// Fault of the catalogue.
package enum CatalogueFault: Sendable, Equatable, Codable {
  /// Unknown version of its format.
  case unknownVersion(Int)
  /// Entry without a size or a file.
  case incompleteEntry(name: String)
  /// File that cannot be read or decoded; `detail` is what the library says.
  case unreadable(detail: String)
}

/// Fault of a text that was named as a model's address.
package enum AddressFault: Sendable, Equatable, Codable {
  /// Empty text.
  case empty
  /// Text that begins with `hf:` and does not go on with owner and name.
  case badHubForm
  /// Address without a host, or of a scheme that is not fetched.
  case badScheme
  /// Address that does not end in a file name.
  case noFileName
}

/// Runs a database's work and passes its errors on as this module's.
func stored<Value>(_ body: () throws(DatabaseError) -> Value) throws(ModelStoreError) -> Value {
  do { return try body() } catch { throw .database(error) }
}
