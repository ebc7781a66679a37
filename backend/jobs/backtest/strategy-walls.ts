import { registerHooks } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What a strategy finds gone. Together with the process's permissions (no files but its own folder, no
 * processes, threads or addons) these keep a strategy from the disk and the network by accident or by
 * a plain attempt. They are no prison for code that means harm: run only strategies you have read.
 */
const REMOVED = [
  ...['process', 'fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'Request', 'Response'],
  ...['Headers', 'FormData', 'BroadcastChannel', 'MessageChannel', 'MessagePort', 'Worker'],
  ...['navigator', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
  ...['clearTimeout', 'clearInterval', 'clearImmediate', 'WebAssembly', 'SharedArrayBuffer'],
  ...['Atomics', 'global', 'localStorage', 'sessionStorage', 'crypto', 'Crypto', 'require'],
]

/** Lets a strategy import files of its own folder, and nothing else. */
export function wallImports(module: string): void {
  const folder = `${dirname(fileURLToPath(module))}/`
  registerHooks({
    resolve(specifier, context, next) {
      const isFile = /^(?:\.{0,2}\/|file:)/.test(specifier)
      const url = isFile ? new URL(specifier, context.parentURL ?? module) : null
      // Asked before anything is looked up, so that no answer tells what lies elsewhere.
      if (url?.protocol === 'file:' && fileURLToPath(url).startsWith(folder)) {
        return next(specifier, context)
      }
      throw new Error(
        `cannot import '${specifier}': a strategy has files of its own folder only, no packages, no files, no network`,
      )
    },
  })
}

/**
 * Takes away what a strategy has no business with, and puts the run's time and chance in the place of
 * the machine's. @param now of the run
 */
export function wallGlobals(now: () => number, random: () => number): void {
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name)
  const MachineDate = Date
  class RunDate extends MachineDate {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [now()] : given) as [number]))
    }
    static override now(): number {
      return now()
    }
  }
  Object.defineProperty(globalThis, 'Date', { value: RunDate, writable: true, configurable: true })
  Object.defineProperty(Math, 'random', { value: random, writable: true, configurable: true })
  Object.defineProperty(globalThis, 'console', {
    value: { log() {}, warn() {}, error() {}, info() {}, debug() {} },
    writable: true,
    configurable: true,
  })
}

/** A fault of a strategy with the place in its file, for its author. */
export function faultOf(error: unknown, module: string): string {
  const name = fileURLToPath(module).split(/[\\/]/).at(-1) ?? 'strategy'
  if (!(error instanceof Error)) return `${name}: ${String(error)}`
  const stack = error.stack ?? ''
  const place =
    new RegExp(`${escaped(module)}:(\\d+):(\\d+)`).exec(stack) ??
    new RegExp(`${escaped(fileURLToPath(module))}:(\\d+)(?::(\\d+))?`).exec(stack)
  const folder = module.slice(0, module.lastIndexOf('/') + 1)
  const beside = new RegExp(`${escaped(folder)}([^\\s:()]+):(\\d+):(\\d+)`).exec(stack)
  const said = `${error.name}: ${error.message}`
  if (place !== null) return `${name}:${[place[1], place[2]].filter(Boolean).join(':')}: ${said}`
  return beside === null ? `${name}: ${said}` : `${beside[1] ?? ''}:${beside[2] ?? ''}: ${said}`
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
