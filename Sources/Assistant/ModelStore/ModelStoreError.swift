import ModelFormats
import Persistence

/// What can go wrong with models on this machine and on their way to it.
package enum ModelStoreError: Error, Sendable, Equatable {
  /// A file or folder cannot be used; `code` is the system's error number.
  case file(path: String, call: String, code: Int32)
  /// The store's database refused.
  case database(DatabaseError)
  /// The catalogue cannot be read.
  case catalogue(path: String, reason: String)
  /// No model, download or catalogue entry has this name.
  case unknown(name: String)
  /// A file of that name is there already and is another one.
  case exists(name: String)
  /// A file that should be a model is none.
  case notAModel(path: String, fault: ModelFileFault)
  /// What was named cannot be a model's address.
  case badAddress(String, reason: String)
  /// The disk lacks room.
  case diskFull(missing: Int, path: String)
  /// The content is not what it should be.
  case wrongHash(path: String, expected: String, found: String)
  /// Another process is fetching the same file.
  case busy(name: String)
}

/// Fault of a file that is no model.
package enum ModelFileFault: Sendable, Equatable, Codable {
  /// It is a web page: an error told in HTML, or a log-in.
  case webPage
  /// It holds nothing.
  case empty
  /// Its header is wrong.
  case header(GGUFError)
  /// Its list of tensors is wrong.
  case tensors(SafetensorsError)
  /// It is in no known form.
  case unknownForm
}

/// Runs a database's work and passes its errors on as this module's.
func stored<Value>(_ body: () throws(DatabaseError) -> Value) throws(ModelStoreError) -> Value {
  do { return try body() } catch { throw .database(error) }
}
