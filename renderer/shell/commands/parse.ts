import { VENUE_NAMES, venueOf } from '../../../backend/domain/venue.ts'
import type { Venue } from '../../../backend/domain/market.ts'
import { accepts } from './accepted-argument.ts'
import type { Command, ParseProblem, Sink, Subject } from './command.ts'
import {
  expandUserCommands,
  NO_USER_COMMANDS,
  splitAtEquals,
  textOf,
  type UserCommands,
} from './user-commands.ts'
import { parseFilter, readsAsFilter } from './parse-filter.ts'
import { sinkAtEnd, SINKS } from './parse-sink.ts'
import { commandOf, TOPICS, VERBS, type ArgSpec, type CommandSpec } from './commands.ts'
import { nearest } from '../../../backend/domain/text/nearest.ts'
import { tokenise, type Token } from './tokens.ts'

/** Venues as typed: `@` and the name in lower case. */
const VENUE_WORDS: readonly string[] = VENUE_NAMES.map((name) => `@${name.toLowerCase()}`)
const CONDITION_ID = /^(?:pm:)?(0x[0-9a-f]{62,64})$/i
const TICKER = /^[a-z0-9][a-z0-9._-]*$/i

const isProblem = (value: object): value is ParseProblem => 'expected' in value && 'at' in value

const problem = (at: number, message: string, expected: readonly string[] = []): ParseProblem => ({
  at,
  message,
  expected,
})

/**
 * Parses a line of one or more commands separated by `;`. Pure: it knows the grammar and the table
 * of commands, but not which markets exist. Never throws.
 * @param userCommands the user's aliases
 */
export function parseLine(
  line: string,
  userCommands: UserCommands = NO_USER_COMMANDS,
): readonly Command[] | ParseProblem {
  const typedTokens = tokenise(line)
  if (isProblem(typedTokens)) return typedTokens
  const tokens = expandUserCommands(typedTokens, userCommands)
  const commands: Command[] = []
  let start = 0
  for (let index = 0; index <= tokens.length; index++) {
    const token = tokens[index]
    const statement = token === undefined || index > start ? null : statementVerb(token)
    if (token !== undefined && statement !== null) {
      const otherTokens = tokens.slice(index + 1)
      return [
        ...commands,
        parseStatement(statement, otherTokens, typedTokens.includes(token) ? line : null),
      ]
    }
    if (token !== undefined && token.kind !== 'separator') continue
    const part = tokens.slice(start, index)
    start = index + 1
    // A trailing `;` ends the line; an empty line is an error of its own.
    if (part.length === 0 && (token !== undefined || commands.length === 0)) {
      return problem(token?.at ?? line.length, 'Type a market or a command', [...VERBS])
    }
    if (part.length === 0) continue
    const command = parseTokens(part, line.length, userCommands)
    if (isProblem(command)) return command
    commands.push(command)
  }
  return commands
}

function parseTokens(
  tokens: readonly Token[],
  end: number,
  userCommands: UserCommands,
): Command | ParseProblem {
  const [first, second] = tokens
  if (first === undefined) return problem(end, 'Type a market or a command', [...VERBS])
  if (first.text.startsWith('?') && !first.quoted) return parseQuestion(first, tokens.slice(1))
  const firstVerb = first.quoted ? null : commandOf(first.text)
  if (firstVerb?.args.some(({ kind }) => kind === 'line') === true) {
    return parseDefinition(firstVerb, tokens.slice(1), userCommands)
  }
  if (firstVerb !== null) return parseRest(firstVerb, null, tokens.slice(1))
  const subject = subjectOf(first)
  const secondVerb = second === undefined || second.quoted ? null : commandOf(second.text)
  if (secondVerb !== null) {
    if (subject === null) {
      return problem(first.at, `No market or topic called “${first.text}”`, nearestWords(first))
    }
    const refused = refusal(secondVerb, subject, first)
    return refused ?? parseRest(secondVerb, subject, tokens.slice(2))
  }
  if (subject !== null && (second === undefined || startsTail(second))) {
    const spec = commandOf(subject.kind === 'topic' ? 'SCAN' : 'DES')
    if (spec !== null) return parseRest(spec, subject, tokens.slice(1))
  }
  if (subject !== null && second !== undefined) {
    return problem(
      second.at,
      `Unknown command ${second.text.toUpperCase()}`,
      nearest(second.text, VERBS),
    )
  }
  return problem(first.at, `No command or market called “${first.text}”`, nearestWords(first))
}

/** `? text` is ASK with the rest of the line as its question. */
function parseQuestion(first: Token, otherTokens: readonly Token[]): Command | ParseProblem {
  const spec = commandOf('ASK')
  const text = first.text.slice(1)
  const questionTokens =
    text === '' ? otherTokens : [{ ...first, text, at: first.at + 1 }, ...otherTokens]
  const command = spec === null ? null : parseRest(spec, null, questionTokens)
  if (command !== null && (isProblem(command) || command.args['text'] !== undefined)) return command
  return problem(first.at + 1, 'Type a question')
}

const statementVerb = (token: Token): CommandSpec | null => {
  const spec = token.quoted || token.kind === 'separator' ? null : commandOf(token.text)
  return spec?.args.some(({ kind }) => kind === 'statement') === true ? spec : null
}

/**
 * A statement is the rest of the line; the service validates it.
 * @param line the typed line; null when the statement comes from an alias
 */
function parseStatement(spec: CommandSpec, tokens: readonly Token[], line: string | null): Command {
  const sink = sinkAtEnd(tokens)
  const statementTokens = sink === null ? tokens : tokens.slice(0, -2)
  const [first, last] = [statementTokens[0], statementTokens.at(-1)]
  const typedText =
    line === null || first === undefined || last === undefined
      ? textOf(statementTokens)
      : line.slice(first.at, last.at + last.raw.length)
  const text = typedText.replace(/[;\s]+$/, '')
  const [arg] = spec.args
  return {
    verb: spec.verb,
    subject: null,
    filters: [],
    venue: null,
    flags: [],
    sink,
    args: text === '' || arg === undefined ? {} : { [arg.name]: text },
  }
}

/** BIND and ALIAS: the nested command after `=` has to parse. */
function parseDefinition(
  spec: CommandSpec,
  tokens: readonly Token[],
  userCommands: UserCommands,
): Command | ParseProblem {
  const { head, text, at } = splitAtEquals(tokens)
  const command = parseRest(spec, null, head)
  if (isProblem(command) || text === null) return command
  if (Object.keys(command.args).length === 0) {
    return problem(at, `${spec.verb} needs ${spec.args[0]?.help ?? 'a name'} before =`)
  }
  const inner = text === '' ? [] : parseLine(text, userCommands)
  if (isProblem(inner)) return { ...inner, at: at + inner.at }
  return { ...command, args: { ...command.args, line: text } }
}

const nearestWords = (token: Token): string[] => nearest(token.text, [...VERBS, ...TOPICS])

/** Filters, options and targets may follow a bare subject; a word may not. */
const startsTail = (token: Token): boolean =>
  !token.quoted &&
  (readsAsFilter(token.text) || /^[@#-]/.test(token.text) || token.text.toLowerCase() in SINKS)

/**
 * Recognises a subject by its form. Bare words count as tickers only with a digit, a dash or a `$`.
 */
function subjectOf(token: Token): Subject | null {
  if (token.quoted) return null
  const text = token.text
  if (text === '.') return { kind: 'focus' }
  if (text.startsWith('$')) return tickerOf(text.slice(1))
  const topic = topicOf(text)
  if (topic !== null) return { kind: 'topic', topic }
  return /[-\d]/.test(text) || /^kx/i.test(text) ? tickerOf(text) : null
}

/** The last name of a path of known topics: `geopolitics/iran` is iran. */
export function topicOf(text: string): string | null {
  const path = text.toLowerCase().split('/')
  const topics: readonly string[] = TOPICS
  return path.every((name) => topics.includes(name)) ? (path.at(-1) ?? null) : null
}

function tickerOf(text: string): Subject | null {
  const conditionId = CONDITION_ID.exec(text)?.[1]
  if (conditionId !== undefined) return { kind: 'ticker', ticker: conditionId.toLowerCase() }
  return TICKER.test(text) ? { kind: 'ticker', ticker: text.toUpperCase() } : null
}

function refusal(spec: CommandSpec, subject: Subject, token: Token): ParseProblem | null {
  const kind = subject.kind === 'focus' ? 'ticker' : subject.kind
  if (spec.subjects.includes(kind)) return null
  const expectedSubject =
    spec.subjects.length === 0 ? 'nothing' : `a ${spec.subjects.join(' or a ')}`
  return problem(
    token.at,
    `${spec.verb} accepts ${expectedSubject}, not a ${kind}`,
    spec.subjects.includes('topic') ? [...TOPICS] : [],
  )
}

interface Draft {
  subject: Subject | null
  readonly args: Map<string, string>
  readonly filters: Command['filters'][number][]
  venue: Venue | null
  readonly flags: string[]
  sink: Sink | null
}

function parseRest(
  spec: CommandSpec,
  subject: Subject | null,
  rest: readonly Token[],
): Command | ParseProblem {
  const draft: Draft = { subject, args: new Map(), filters: [], venue: null, flags: [], sink: null }
  let tokens = rest
  const sink = sinkAtEnd(tokens)
  if (sink !== null) {
    draft.sink = sink
    tokens = tokens.slice(0, -2)
  }
  for (const token of tokens) {
    const refused = parseToken(spec, draft, token)
    if (refused !== null) return refused
  }
  if (spec.needsMarket) draft.subject ??= { kind: 'focus' }
  return {
    verb: spec.verb,
    subject: draft.subject,
    // In the order of the table, so that equal commands have equal text.
    args: Object.fromEntries(
      spec.args.flatMap(({ name }) => {
        const value = draft.args.get(name)
        return value === undefined ? [] : [[name, value]]
      }),
    ),
    filters: draft.filters,
    venue: draft.venue,
    flags: draft.flags,
    sink: draft.sink,
  }
}

function parseToken(spec: CommandSpec, draft: Draft, token: Token): ParseProblem | null {
  const { text } = token
  const isQuestion = spec.args.some(({ kind }) => kind === 'question')
  if (!token.quoted && !isQuestion) {
    if (text.startsWith('@')) return parseVenue(spec, draft, token)
    if (text.startsWith('#')) return parseTheme(spec, draft, token)
    if (/^-[a-z]/i.test(text)) return parseFlag(spec, draft, token)
    if (readsAsFilter(text)) return parseFilterToken(spec, draft, token)
    const subject = draft.subject === null ? subjectAmong(spec, draft, token) : null
    if (subject !== null) {
      draft.subject = subject
      return null
    }
  }
  return parseArgument(spec, draft, token)
}

function parseFilterToken(spec: CommandSpec, draft: Draft, token: Token): ParseProblem | null {
  const filter = parseFilter(spec, token)
  if (isProblem(filter)) return filter
  draft.filters.push(filter)
  return null
}

/** A word after the verb is the subject unless it fits the next argument better. */
function subjectAmong(spec: CommandSpec, draft: Draft, token: Token): Subject | null {
  const text = spec.args.some(({ kind }) => kind === 'text')
  if (text && !/^[.$]/.test(token.text)) return null
  if (fittingArg(spec, draft, token) !== null) return null
  const subject = subjectOf(token) ?? (spec.needsMarket ? tickerOf(token.text) : null)
  if (subject === null) return null
  const kind = subject.kind === 'focus' ? 'ticker' : subject.kind
  return spec.subjects.includes(kind) ? subject : null
}

const fittingArg = (spec: CommandSpec, draft: Draft, token: Token): ArgSpec | null =>
  spec.args.find(
    (arg) => (arg.repeats === true || !draft.args.has(arg.name)) && accepts(arg, token) !== null,
  ) ?? null

function parseArgument(spec: CommandSpec, draft: Draft, token: Token): ParseProblem | null {
  const textArg = spec.args.find(({ kind }) => kind === 'text' || kind === 'question')
  if (textArg !== undefined && accepts(textArg, token) !== null) {
    const previous = draft.args.get(textArg.name)
    draft.args.set(textArg.name, previous === undefined ? token.text : `${previous} ${token.text}`)
    return null
  }
  const arg = fittingArg(spec, draft, token)
  const value = arg === null ? null : accepts(arg, token)
  if (arg !== null && value !== null) {
    const previous = draft.args.get(arg.name)?.split(' ') ?? []
    draft.args.set(arg.name, [...new Set([...previous, value])].join(' '))
    return null
  }
  return refusedWord(spec, draft, token)
}

/** Why a word after a verb is refused, and which words may be there. */
function refusedWord(spec: CommandSpec, draft: Draft, token: Token): ParseProblem {
  const targets = SINKS[token.text.toLowerCase()]
  if (targets !== undefined) {
    return problem(token.at, `“${token.text}” needs ${targets.join(', ')} after it`, targets)
  }
  const price = spec.args.find(({ kind, name }) => kind === 'cents' && !draft.args.has(name))
  if (price !== undefined && /^[-+\d.]/.test(token.text)) {
    return problem(token.at, `${spec.verb} needs a price from 0 to 100`)
  }
  const nearWords = nearest(token.text, expectedAfter(spec, [...draft.args.keys()]))
  const hint = nearWords.length === 0 ? `. HELP ${spec.verb} shows what it accepts` : ''
  return problem(token.at, `${spec.verb} does not accept “${token.text}”${hint}`, [...nearWords])
}

/** Words that may follow a verb after some of its arguments. */
export const expectedAfter = (spec: CommandSpec, present: readonly string[] = []): string[] => [
  ...spec.args
    .filter(({ name, repeats }) => repeats === true || !present.includes(name))
    .flatMap(({ kind, values }) => (kind === 'verb' ? [...VERBS] : [...(values ?? [])])),
  ...(spec.subjects.includes('topic') ? TOPICS : []),
  ...spec.filters.map(({ name }) => `${name}=`),
  ...(spec.byVenue ? VENUE_WORDS : []),
  ...spec.flags.map((flag) => `-${flag}`),
]

function parseVenue(spec: CommandSpec, draft: Draft, token: Token): ParseProblem | null {
  if (!spec.byVenue) return problem(token.at, `${spec.verb} accepts no venue`)
  const name = token.text.slice(1)
  const venue = venueOf(name)
  if (venue === null) return problem(token.at, `Unknown venue ${name}`, VENUE_WORDS)
  draft.venue = venue
  return null
}

function parseTheme(spec: CommandSpec, draft: Draft, token: Token): ParseProblem | null {
  const topic = topicOf(token.text.slice(1))
  if (!spec.subjects.includes('topic')) return problem(token.at, `${spec.verb} accepts no theme`)
  if (topic === null) {
    return problem(
      token.at,
      `Unknown theme ${token.text.slice(1)}`,
      nearest(token.text.slice(1), TOPICS).map((name) => `#${name}`),
    )
  }
  if (draft.subject !== null)
    return problem(token.at, `Name one market or topic only; remove “${token.text}”`)
  draft.subject = { kind: 'topic', topic }
  return null
}

function parseFlag(spec: CommandSpec, draft: Draft, token: Token): ParseProblem | null {
  const flag = token.text.slice(1).toLowerCase()
  if (!spec.flags.includes(flag)) {
    return problem(
      token.at,
      `${spec.verb} has no flag -${flag}`,
      spec.flags.map((flag) => `-${flag}`),
    )
  }
  if (!draft.flags.includes(flag)) draft.flags.push(flag)
  return null
}
