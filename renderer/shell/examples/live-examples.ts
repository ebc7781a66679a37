import { tickerWord } from './ticker-word.ts'
import { TOPICS, type CommandSpec } from '../commands/commands.ts'

/** Values that exist in the current data; null for unknown ones. */
export interface CurrentData {
  readonly ticker: string | null
  readonly topic: string | null
  /** Id of an item of the world. */
  readonly item: string | null
}

/** Parts of the table's examples that depend on the data. */
const TICKER = /\$?KXFED-26DEC/
/** A longer ticker is an id, too long to type: `.` is the market in focus. */
const MAX_LENGTH = 40
const TOPIC = /\biran\b/
const ITEM = /\bs-4k2m9q\b/

/** The example of a command with a market, a topic and an item that exist in the current data. */
export const liveExample = (
  { example }: Pick<CommandSpec, 'example'>,
  { ticker, topic, item }: CurrentData,
): string =>
  example
    .replace(TICKER, ticker === null || ticker.length > MAX_LENGTH ? '.' : tickerWord(ticker))
    .replace(TOPIC, topic ?? '$&')
    .replace(ITEM, item ?? '$&')

/** The topic of most of these markets; null when they have none. */
export function mostFrequentTopic(
  rows: readonly { readonly topics: readonly string[] }[],
): string | null {
  const counts = new Map<string, number>()
  for (const topic of rows.flatMap(({ topics }) => topics)) {
    if (TOPICS.includes(topic)) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  }
  const [max] = [...counts].toSorted((left, right) => right[1] - left[1])
  return max?.[0] ?? null
}

/** Whether running the example changes nothing that the user would have to undo. */
export const isHarmless = ({ effect, verb }: CommandSpec): boolean =>
  effect === 'read' ? verb !== 'ALERT' : ['SET', 'TERM', 'HELP', 'WS'].includes(verb)
