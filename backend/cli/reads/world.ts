import { markdown } from './answer.ts'
import { toggle, number, choiceFlag, textFlag } from './read-flags.ts'
import { request, type Read, type Route } from './read.ts'
import { routePath } from '../route.ts'

const OPS = ['snapshot', 'history', 'catalyst', 'dispersion', 'trail', 'explain']
const WINDOWS = ['1h', '6h', '12h', '24h', '48h', '72h', '7d', '30d']

/** The world, or the region that the words name: each of `a/b c` is one segment. */
function worldAt(args: readonly string[]): Route {
  const region = routePath('/api/agent/world/*', { '*': args.join('/') })
  return region === '/api/agent/world/'
    ? request('/api/agent/world', markdown)
    : request(region, markdown)
}

/** Reads of the world as text. */
export const WORLD_READS: readonly Read[] = [
  {
    name: 'world',
    summary: 'state of the world, and suggested commands',
    synopsis: '[TOPIC/SUB…]',
    flags: {
      op: choiceFlag('op', OPS, 'sections to show'),
      dt: textFlag('dt', 'SPAN', 'window of history and catalyst'),
      window: textFlag('window', 'SPAN', 'window of catalyst'),
      since: textFlag('since', 'SPAN|ISO', 'baseline of the comparison'),
      depth: number('depth', 'N', 'levels of regions'),
      limit: number('limit', 'N', 'items or rows'),
      from: textFlag('from', 'TICKER', 'start of a trail'),
      item: textFlag('item', 'ID', 'subject to explain'),
      compact: toggle('compact', true, 'one line per item'),
    },
    routeOf: ({ args: words }) => worldAt(words),
  },
  {
    name: 'inspect',
    summary: 'everything about one market',
    synopsis: 'TICKER',
    flags: {
      'no-contagion': toggle('contagion', false, 'without expected moves'),
      'no-diff': toggle('diff', false, 'without changes of 24 hours'),
      'no-trend': toggle('trend', false, 'without the last seven days'),
    },
    routeOf: ({ args: [ticker = ''] }) =>
      request(routePath('/api/agent/inspect/:ticker', { ticker }), markdown),
  },
  {
    name: 'briefing',
    summary: 'past and upcoming events of a topic',
    synopsis: '[TOPIC]',
    flags: {
      window: choiceFlag('window', WINDOWS, 'how far back'),
      compact: toggle('compact', true, 'three rows per section'),
    },
    routeOf: ({ args: [topic = null] }) => request('/api/public/briefing', markdown, { topic }),
  },
]
