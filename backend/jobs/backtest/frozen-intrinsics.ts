/**
 * Freezes the built-in objects of the language, so that a strategy cannot replace functions that
 * the engine calls. Freezing was chosen over a `vm` context because the engine passes its own
 * objects to a strategy on every event: each of them would lead out of the context, and calls
 * across contexts cost time.
 */

/** Intrinsics that no global refers to. */
const UNNAMED_INTRINSICS: readonly unknown[] = [
  (async () => {}).constructor,
  function* () {}.constructor,
  async function* () {}.constructor,
  [][Symbol.iterator]().constructor,
  Object.getPrototypeOf([][Symbol.iterator]()),
  Object.getPrototypeOf(new Map()[Symbol.iterator]()),
  Object.getPrototypeOf(new Set()[Symbol.iterator]()),
  Object.getPrototypeOf(''[Symbol.iterator]()),
  Object.getPrototypeOf(''.matchAll(/x/g)),
  Object.getPrototypeOf([].values().map((value) => value)),
  Object.getPrototypeOf(Iterator.from({ next: () => ({ done: true, value: undefined }) })),
  Object.getPrototypeOf(new Intl.Segmenter().segment('')),
  Object.getPrototypeOf(new Intl.Segmenter().segment('')[Symbol.iterator]()),
]

/**
 * Freezes everything reachable from `globalThis` and `more` by properties, accessors and
 * prototypes, including `globalThis`. Properties that programs usually override on instances
 * (`toString`, `name`, `message`) can still be assigned there.
 */
export function freezeIntrinsics(extraObjects: readonly object[]): void {
  for (const holder of overridable()) allowOverride(holder)
  const visitedObjects = new Set<object>()
  const pending: unknown[] = [globalThis, ...UNNAMED_INTRINSICS, ...extraObjects]
  while (pending.length > 0) {
    const value = pending.pop()
    const isObject = typeof value === 'function' || (typeof value === 'object' && value !== null)
    if (!isObject || visitedObjects.has(value)) continue
    visitedObjects.add(value)
    pending.push(Object.getPrototypeOf(value))
    for (const key of Reflect.ownKeys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key)
      const parts: unknown[] = Object.values(property ?? {})
      pending.push(...parts)
    }
  }
  for (const value of visitedObjects) Object.freeze(value)
}

/** Prototypes whose properties programs override on their own objects. */
const overridable = (): object[] => [
  Object.prototype,
  Function.prototype,
  ...[Error, AggregateError, EvalError, RangeError, ReferenceError].map(
    (constructor) => constructor.prototype,
  ),
  ...[SyntaxError, TypeError, URIError].map((constructor) => constructor.prototype),
]

/**
 * An inherited read-only property cannot be assigned on an inheriting object. As an accessor it
 * can: its setter defines the property on the object that was assigned to.
 */
function allowOverride(holder: object): void {
  for (const key of Reflect.ownKeys(holder)) {
    const property = Object.getOwnPropertyDescriptor(holder, key)
    if (
      property === undefined ||
      !('value' in property) ||
      !property.configurable ||
      !property.writable
    )
      continue
    const { value, enumerable } = property as { value: unknown; enumerable: boolean }
    Object.defineProperty(holder, key, {
      get: () => value,
      set(this: unknown, next: unknown) {
        if (this === holder)
          throw new TypeError(`Cannot assign to read only property '${String(key)}'`)
        Object.defineProperty(this, key, {
          value: next,
          writable: true,
          enumerable: true,
          configurable: true,
        })
      },
      enumerable,
      configurable: false,
    })
  }
}
