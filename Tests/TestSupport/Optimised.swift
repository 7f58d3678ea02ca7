/// What a test takes where it is optimised, and the less that it takes where it is not, since all of it would be
/// minutes there.
package func whereOptimised<Value>(_ all: Value, otherwise less: Value) -> Value {
  #if DEBUG
    less
  #else
    all
  #endif
}
