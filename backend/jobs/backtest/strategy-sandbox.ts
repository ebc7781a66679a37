import { registerHooks } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, URL } from 'node:url'
import { freezeIntrinsics } from './frozen-intrinsics.ts'
import { replaceTimeAndChance, type TimeAndChance } from './run-clock.ts'

/**
 * The globals available to a strategy: the language without shared memory, generated code and
 * anything that depends on the garbage collector. Together with the permissions of the process
 * (only files of its own folder, no processes, threads or addons) this isolates a strategy from
 * the disk, the network and the machine's clock.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  'globalThis',
  'undefined',
  'Infinity',
  'NaN',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'Object',
  'Function',
  'Boolean',
  'Symbol',
  'Number',
  'BigInt',
  'String',
  'RegExp',
  'Math',
  'Date',
  'Intl',
  'JSON',
  'Array',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'Iterator',
  'Promise',
  'Proxy',
  'Reflect',
  'ArrayBuffer',
  'DataView',
  'Int8Array',
  'Uint8Array',
  'Int16Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'SuppressedError',
  'DisposableStack',
  'AsyncDisposableStack',
  'decodeURI',
  'encodeURI',
  'decodeURIComponent',
  'encodeURIComponent',
  'escape',
  'unescape',
])
const removedNames = new Set<string>()

/**
 * File types that a strategy may import. CommonJS is not among them: its `module` leads to the
 * machine's modules.
 */
const FORMATS: readonly { readonly ending: RegExp; readonly format: string }[] = [
  { ending: /\.m?ts$/, format: 'module-typescript' },
  { ending: /\.m?js$/, format: 'module' },
  { ending: /\.json$/, format: 'json' },
]

/** Restricts a strategy's imports to files of its own folder. @param module its address */
export function restrictImports(module: string): void {
  const folder = `${dirname(fileURLToPath(module))}/`
  registerHooks({
    resolve(specifier, context, next) {
      const isFile = /^(?:\.{0,2}\/|file:)/.test(specifier)
      const url = isFile ? new URL(specifier, context.parentURL ?? module) : null
      // Checked before anything is resolved, so that no error reveals what exists elsewhere.
      if (url?.protocol !== 'file:' || !fileURLToPath(url).startsWith(folder)) {
        throw new Error(
          `cannot import '${specifier}': a strategy may only import files of its own folder; packages, other files and the network are not available`,
        )
      }
      const kind = FORMATS.find(({ ending }) => ending.test(url.pathname))
      if (kind === undefined) {
        throw new Error(
          `cannot import '${specifier}': it must be an ES module (.ts, .mts, .js, .mjs) or .json`,
        )
      }
      return { ...next(specifier, context), format: kind.format }
    },
  })
}

/**
 * Removes every global except those of the language, replaces time and randomness by the run's,
 * and freezes the language's objects and those listed in `engine`: nothing that the engine calls
 * can be replaced afterwards.
 */
export function restrictGlobals(source: TimeAndChance, engine: readonly object[]): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!ALLOWED.has(name) && Reflect.deleteProperty(globalThis, name)) removedNames.add(name)
  }
  replaceTimeAndChance(source)
  const value = { log() {}, warn() {}, error() {}, info() {}, debug() {} }
  Object.defineProperty(globalThis, 'console', { value, configurable: true })
  freezeIntrinsics(engine)
}

/** Whether a global of this name was removed. */
export const isRemovedGlobal = (name: string): boolean => removedNames.has(name)
