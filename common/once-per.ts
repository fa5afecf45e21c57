/** Makes a value at first need, and once. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Makes a value of each object once, and forgets it with the object. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { value: Value }>();
  return (key) => {
    let result = made.get(key);
    if (!result) made.set(key, (result = { value: make(key) }));
    return result.value;
  };
}
