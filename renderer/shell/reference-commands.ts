import { app, look, market, world, type ArgSpec, type CommandSpec } from './command-spec.ts'

const text: ArgSpec = { name: 'text', kind: 'text', help: 'words to look for' }

/** What one market's flow and trend look like, screens over indicators, and what is written. */
export const REFERENCE_COMMANDS: readonly CommandSpec[] = [
  market({
    verb: 'MICRO',
    title: 'Microstructure',
    route: '/api/public/market-microstructure-history',
    args: [{ name: 'span', kind: 'duration', help: 'how far back: 24h, 7d' }],
    help: 'Spread, depth and flow of a market, hour by hour',
    example: '. MICRO 7d',
  }),
  look({
    verb: 'SCREEN',
    title: 'Screen',
    route: '/api/public/screen',
    args: [
      {
        name: 'sort',
        kind: 'enum',
        values: ['iy', 'ee', 'or', 'las', 'cri', 'tau', 'volume'],
        help: 'order, largest first',
      },
    ],
    filters: [
      { name: 'iy', kind: 'number', help: 'implied yield, percent a year' },
      { name: 'ee', kind: 'number', help: 'expected edge in cents; only a lower bound' },
      { name: 'las', kind: 'number', help: 'liquidity-adjusted spread; only an upper bound' },
      { name: 'or', kind: 'number', help: 'overround of the event' },
      { name: 'cri', kind: 'number', help: 'change rate' },
      { name: 'days', kind: 'number', help: 'days to close' },
      { name: 'price', kind: 'number', max: 100, help: 'price in cents' },
      { name: 'vol24h', alias: 'v', kind: 'number', help: 'volume of the last 24 hours' },
      { name: 'category', kind: 'enum', help: 'category of the venue' },
    ],
    help: 'Active markets by their indicators',
    example: 'SCREEN cri vol24h>1000 price=20..80',
  }),
  look({
    verb: 'TECH',
    title: 'Technicals',
    route: '/api/public/technicals',
    args: [text],
    help: 'What prices themselves say: trend, momentum, levels; strongest first',
    example: 'TECH @venue_a',
  }),
  look({
    verb: 'OPIN',
    title: 'Opinions',
    area: 'Ask',
    route: '/api/public/opinions',
    subjects: ['topic', 'ticker'],
    args: [text],
    byVenue: false,
    help: 'Opinions by rule with what speaks against them, newest first',
    example: 'OPIN',
  }),
  world({
    verb: 'FEED',
    title: 'Feed',
    route: '/api/agent/feed/{topic}',
    args: [
      { name: 'path', kind: 'path', help: 'a topic or group' },
      { name: 'since', kind: 'duration', help: 'how far back: 6h, 24h' },
    ],
    help: 'What happened on a topic, newest first',
    example: 'FEED iran 24h',
  }),
  look({
    verb: 'DISC',
    title: 'Discussion',
    area: 'Ask',
    route: '/api/public/discuss',
    subjects: ['topic', 'ticker'],
    args: [{ name: 'text', kind: 'question', help: 'a question in plain words' }],
    byVenue: false,
    help: 'A question seen from several sides, with what they disagree on',
    example: 'DISC will the fed cut rates in december',
  }),
  world({
    verb: 'GUIDE',
    title: 'Guide',
    area: 'Ask',
    route: '/api/public/guide',
    subjects: [],
    args: [{ name: 'intent', kind: 'slug', help: 'what you want, such as find-edges' }],
    help: 'Which steps lead to what you want; alone it lists what can be wanted',
    example: 'GUIDE find-edges',
  }),
  world({
    verb: 'SKILL',
    title: 'Skills',
    area: 'Ask',
    route: '/api/public/skills',
    subjects: [],
    args: [{ name: 'skill', kind: 'slug', help: 'a way of working, such as explain-a-move' }],
    help: 'Ways of working to hand to an agent, with their instructions',
    example: 'SKILL explain-a-move',
  }),
]

/** The reader's own list, and how the sources are. */
export const WATCH_COMMANDS: readonly CommandSpec[] = [
  app({
    verb: 'WATCH',
    area: 'Watch',
    title: 'Watchlist',
    subjects: ['ticker'],
    flags: ['import'],
    help: 'Keep an eye on a market; alone it lists those, to json writes a file, -import reads one',
    example: '. WATCH',
  }),
  app({
    verb: 'UNWATCH',
    area: 'Watch',
    title: 'Unwatch',
    subjects: ['ticker'],
    needsMarket: true,
    help: 'Keep an eye on a market no longer',
    example: '. UNWATCH',
  }),
  app({
    verb: 'HEALTH',
    area: 'App',
    title: 'Data health',
    effect: 'read',
    route: '/status',
    help: 'Every source with its state, age, errors and budget',
    example: 'HEALTH',
  }),
]
