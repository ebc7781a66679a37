import { usageError } from './failure.ts'
import { clean } from './terminal/output.ts'
import { truncate } from './terminal/text-width.ts'

/**
 * How a flag is written: alone, with a text, with a number (`signed` may be negative), or with
 * texts up to the next flag.
 */
export type FlagKind = 'switch' | 'text' | 'number' | 'signed' | 'texts'
export type FlagTable = Readonly<Record<string, FlagKind>>

/** Flags of every command. */
export const GLOBAL_FLAGS = {
  json: 'switch',
  'api-url': 'text',
  'api-key': 'text',
  data: 'text',
  'as-of': 'text',
  timeout: 'number',
  wait: 'switch',
  quiet: 'switch',
  help: 'switch',
  version: 'switch',
} as const satisfies FlagTable

/** An unknown flag may be any text, including a secret that must not be echoed in full. */
const MAX_NAME_LENGTH = 24

const FORMS: Readonly<Partial<Record<FlagKind, RegExp>>> = {
  number: /^\d+(\.\d+)?$/,
  signed: /^-?\d+(\.\d+)?$/,
}

/** The flags given on the command line. */
export class Flags {
  readonly #values: ReadonlyMap<string, string | readonly string[] | true>
  constructor(values: ReadonlyMap<string, string | readonly string[] | true>) {
    this.#values = values
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  text(name: string): string | null {
    const value = this.#values.get(name)
    return typeof value === 'string' ? value : null
  }

  /** Every text given with the flag, repeated occurrences included; empty when it was not given. */
  texts(name: string): readonly string[] {
    const value = this.#values.get(name)
    return Array.isArray(value) ? (value as readonly string[]) : []
  }

  number(name: string): number | null {
    const text = this.text(name)
    return text === null ? null : Number(text)
  }
}

/**
 * Parses a command line into the flags of `table` and words. `--name value` and `--name=value` are
 * the same; everything after `--` is a word; the last occurrence of a repeated flag wins, except
 * for texts, which accumulate.
 * @throws CliFailure (usage) for an unknown flag, a missing value or a malformed number
 */
export function parseLine(
  args: readonly string[],
  table: FlagTable,
): { flags: Flags; args: string[] } {
  const values = new Map<string, string | readonly string[] | true>()
  const positionals: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      positionals.push(...args.slice(index + 1))
      break
    }
    if (!arg.startsWith('--')) {
      if (/^-[a-z]$/i.test(arg)) throw usageError(`unknown flag ${arg}`)
      positionals.push(arg)
      continue
    }
    const [, name = '', inline] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? []
    const kind = Object.hasOwn(table, name) ? table[name] : undefined
    if (kind === undefined)
      throw usageError(`unknown flag --${truncate(clean(name), MAX_NAME_LENGTH)}`)
    if (kind === 'switch') {
      if (inline !== undefined) throw usageError(`--${name} takes no value`)
      values.set(name, true)
      continue
    }
    if (kind === 'texts') {
      const inlineValues = inline === undefined ? [] : [inline]
      while (inline === undefined && args[index + 1]?.startsWith('--') === false) {
        inlineValues.push(args[++index] ?? '')
      }
      if (inlineValues.length === 0 || inlineValues.includes(''))
        throw usageError(`--${name} needs a value`)
      const previous = values.get(name)
      values.set(name, [
        ...(Array.isArray(previous) ? (previous as string[]) : []),
        ...inlineValues,
      ])
      continue
    }
    const next = args[index + 1]
    if (inline === undefined) index += 1
    const value = inline ?? (next?.startsWith('--') === true ? undefined : next)
    if (value === undefined || value === '') throw usageError(`--${name} needs a value`)
    const form = FORMS[kind]
    if (form?.test(value) === false) throw usageError(`--${name} must be a number, was "${value}"`)
    values.set(name, value)
  }
  return { flags: new Flags(values), args: positionals }
}
