import { markdown } from './answer.ts'
import { given, number, oneOf, word } from './read-flags.ts'
import type { Read } from './read.ts'
import { segmentOf } from '../segment.ts'

const OPS = ['snapshot', 'history', 'catalyst', 'dispersion', 'trail', 'explain']
const WINDOWS = ['1h', '6h', '12h', '24h', '48h', '72h', '7d', '30d']

/** Each of `a/b c` as a segment of its own. */
const regionOf = (words: readonly string[]): string =>
  words
    .flatMap((word) => word.split('/'))
    .filter((part) => part !== '')
    .map((part) => `/${segmentOf(part)}`)
    .join('')

/** What is going on, in words. */
export const WORLD_READS: readonly Read[] = [
  {
    name: 'world',
    summary: 'what is going on, and what to pull next',
    words: '[TOPIC/SUB…]',
    flags: {
      op: oneOf('op', OPS, 'what is told'),
      dt: word('dt', 'SPAN', 'reach of history and catalyst'),
      window: word('window', 'SPAN', 'reach of catalyst'),
      since: word('since', 'SPAN|ISO', 'what it is compared with'),
      depth: number('depth', 'N', 'levels of regions'),
      limit: number('limit', 'N', 'items or rows'),
      from: word('from', 'TICKER', 'where a trail starts'),
      item: word('item', 'ID', 'what is explained'),
      compact: given('compact', true, 'one line an item'),
    },
    ask: ({ words }) => ({ path: `/api/agent/world${regionOf(words)}`, answer: markdown }),
  },
  {
    name: 'inspect',
    summary: 'everything about one market',
    words: 'TICKER',
    flags: {
      'no-contagion': given('contagion', false, 'without markets that owe a move'),
      'no-diff': given('diff', false, 'without what changed in 24 hours'),
      'no-trend': given('trend', false, 'without the last seven days'),
    },
    ask: ({ words: [ticker = ''] }) => ({
      path: `/api/agent/inspect/${segmentOf(ticker)}`,
      answer: markdown,
    }),
  },
  {
    name: 'briefing',
    summary: 'what happened in a topic and what lies ahead',
    words: '[TOPIC]',
    flags: {
      window: oneOf('window', WINDOWS, 'how far back'),
      compact: given('compact', true, 'three rows a section'),
    },
    ask: ({ words: [topic = null] }) => ({
      path: '/api/public/briefing',
      query: { topic },
      answer: markdown,
    }),
  },
]
