import { fileURLToPath } from 'node:url'
import { boundedText } from '../../domain/text/bounded-text.ts'
import { FAULT_LIMIT } from './messages.ts'
import { isRemovedGlobal } from './strategy-sandbox.ts'

/**
 * Length kept of a stack: its beginning holds the position of a syntax error, its end the frames.
 */
const STACK_PART = 16_000

/**
 * Describes a value that a strategy threw, with the position in its file, in bounded length. Any
 * value can be thrown: properties that throw when read are left out. @param module address of the
 * strategy
 */
export function describeFault(error: unknown, module: string): string {
  const name = fileURLToPath(module).split(/[\\/]/).at(-1) ?? 'strategy'
  const { text, stack } = describeThrown(error)
  return boundedText(`${locationIn(stack, module, name)}: ${withHint(text)}`, FAULT_LIMIT)
}

const UNREADABLE = 'an unreadable value was thrown'

function describeThrown(error: unknown): { readonly text: string; readonly stack: string } {
  try {
    if (!(error instanceof Error)) return { text: `${textOf(error)} was thrown`, stack: '' }
    const [name, message] = [error.name, error.message] as unknown[]
    const kind = typeof name === 'string' ? boundedText(name, 100) : 'Error'
    const reason = typeof message === 'string' ? message : 'its message is not text'
    return { text: `${kind}: ${reason}`, stack: stackOf(error) }
  } catch {
    return { text: UNREADABLE, stack: '' }
  }
}

/** Empty when the error has no readable stack. */
function stackOf(error: Error): string {
  try {
    const stack: unknown = error.stack
    return typeof stack === 'string' ? frameEndOf(stack) : ''
  } catch {
    return ''
  }
}

/** @throws when the value's own conversion throws */
function textOf(error: unknown): string {
  if (typeof error === 'string') return `the text "${boundedText(error, FAULT_LIMIT / 2)}"`
  if (typeof error !== 'object' || error === null) return boundedText(String(error), FAULT_LIMIT)
  return `an object that is not an Error (${boundedText(convert(error), FAULT_LIMIT / 2)})`
}

const convert = String as (value: unknown) => string

const frameEndOf = (stack: string): string =>
  stack.length <= 2 * STACK_PART
    ? stack
    : `${stack.slice(0, STACK_PART)}\n${stack.slice(-STACK_PART)}`

/**
 * `file:line:column` of the first frame in the strategy's file, or else in a file of its folder.
 */
function locationIn(stack: string, module: string, name: string): string {
  const location =
    new RegExp(`${escapePattern(module)}:(\\d+):(\\d+)`).exec(stack) ??
    new RegExp(`${escapePattern(fileURLToPath(module))}:(\\d+)(?::(\\d+))?`).exec(stack)
  if (location !== null) return `${name}:${[location[1], location[2]].filter(Boolean).join(':')}`
  const folder = module.slice(0, module.lastIndexOf('/') + 1)
  const locationMatch = new RegExp(`${escapePattern(folder)}([^\\s:()]{1,200}):(\\d+):(\\d+)`).exec(
    stack,
  )
  return locationMatch === null ? name : `${locationMatch[1] ?? ''}:${locationMatch[2] ?? ''}`
}

function withHint(text: string): string {
  const missing = /^ReferenceError: (\w{1,64}) is not defined$/.exec(text)?.[1]
  if (missing === undefined || !isRemovedGlobal(missing)) return text
  return `${text}: strategies have no ${missing}, see "What a strategy may use" in docs/backtesting.md`
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
