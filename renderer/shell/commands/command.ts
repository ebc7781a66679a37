import { venueName } from '../../../backend/domain/venue.ts'
import type { Venue } from '../../../backend/domain/market.ts'
import { commandOf, TOPICS, type Verb } from './commands.ts'

/** The subject of a command. `focus` is the market of the pane's link group. */
export type Subject =
  | { readonly kind: 'focus' }
  | { readonly kind: 'ticker'; readonly ticker: string }
  | { readonly kind: 'topic'; readonly topic: string }

export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<='

export type FilterValue =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'text'; readonly text: string }
  /** A calendar day, `2026-12-01`. */
  | { readonly kind: 'date'; readonly day: string }

export interface Filter {
  readonly name: string
  readonly operator: Operator
  readonly value: FilterValue
}

export const LINK_LETTERS = ['A', 'B', 'C', 'D'] as const
export type LinkLetter = (typeof LINK_LETTERS)[number]

/** Export targets: rows, the raw response, a table of texts, a picture. */
export type TextForm = 'csv' | 'json' | 'md' | 'png' | 'clip'

/** Target of the answer: a pane of its own, a link group, a numbered pane, or an export. */
export type Sink =
  | { readonly kind: 'new' }
  | { readonly kind: 'float' }
  | { readonly kind: 'link'; readonly letter: LinkLetter }
  | { readonly kind: 'pane'; readonly number: number }
  | { readonly kind: TextForm }

export interface Command {
  readonly verb: Verb
  readonly subject: Subject | null
  /** By argument name, in canonical spelling. */
  readonly args: Readonly<Record<string, string>>
  readonly filters: readonly Filter[]
  readonly venue: Venue | null
  readonly flags: readonly string[]
  readonly sink: Sink | null
}

/** Position of a parse error, and the expected words there. */
export interface ParseProblem {
  /** Offset into the line. */
  readonly at: number
  readonly message: string
  readonly expected: readonly string[]
}

const PLAIN_WORD = /^[\p{L}\p{N}][\p{L}\p{N}.'’&/+-]*$/u

const quotedText = (text: string): string => `"${text.replaceAll('"', '')}"`

function argText(verb: Verb, name: string, text: string): string {
  const kind = commandOf(verb)?.args.find((arg) => arg.name === name)?.kind
  if (kind === 'chord' || kind === 'statement' || kind === 'study' || kind === 'overlay')
    return text
  // Only the words of a text argument may be separated by blanks.
  if (kind === 'name' && /\s/.test(text)) return quotedText(text)
  const words = text.split(' ')
  const plain = words.every((word) => PLAIN_WORD.test(word) && !/^(to|in)$/i.test(word))
  return plain ? text : quotedText(text)
}

/** A nested command: quoted as a whole when it is a chain. */
const lineText = (text: string): string => {
  const isChain = text.replace(/"[^"]*"/g, '').includes(';')
  return text === '' ? '=' : `= ${isChain ? quotedText(text) : text}`
}

const valueText = (value: FilterValue): string => {
  switch (value.kind) {
    case 'number':
      return String(value.value)
    case 'range':
      return `${value.from}..${value.to}`
    case 'date':
      return value.day
    case 'text':
      return PLAIN_WORD.test(value.text) || /^[\w-]+$/.test(value.text)
        ? value.text
        : quotedText(value.text)
  }
}

const subjectText = (subject: Subject): string => {
  if (subject.kind === 'focus') return '.'
  if (subject.kind === 'topic') return subject.topic
  const topics: readonly string[] = TOPICS
  const ambiguous =
    commandOf(subject.ticker) !== null ||
    topics.includes(subject.ticker.toLowerCase()) ||
    !/[-\d]/.test(subject.ticker)
  return ambiguous ? `$${subject.ticker}` : subject.ticker
}

const sinkText = (sink: Sink): string => {
  switch (sink.kind) {
    case 'new':
    case 'float':
      return `in ${sink.kind}`
    case 'link':
      return `in ${sink.letter}`
    case 'pane':
      return `in ${sink.number}`
    default:
      return `to ${sink.kind}`
  }
}

/** A filter as it is in the line of its command. */
export const filterText = ({ name, operator, value }: Filter): string =>
  `${name}${operator}${valueText(value)}`

/**
 * The canonical line of a command; parsing it returns the same command. Layouts, deep links and
 * "copy as command" use this language.
 */
export function commandText(command: Command): string {
  return [
    ...(command.subject === null ? [] : [subjectText(command.subject)]),
    command.verb,
    ...Object.entries(command.args).flatMap(([name, text]) =>
      name === 'line' ? [] : [argText(command.verb, name, text)],
    ),
    ...command.filters.map(filterText),
    ...(command.venue === null ? [] : [`@${venueName(command.venue).toLowerCase()}`]),
    ...command.flags.map((flag) => `-${flag}`),
    ...(command.sink === null ? [] : [sinkText(command.sink)]),
    // Everything after `=` belongs to it.
    ...(command.args['line'] === undefined ? [] : [lineText(command.args['line'])]),
  ].join(' ')
}
