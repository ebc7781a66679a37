import { app, look, market, world, type ArgSpec, type CommandSpec } from './command-spec.ts'

const text: ArgSpec = { name: 'text', kind: 'text', help: 'search text' }

/** One market's flow and technicals, screens over indicators, and reference texts. */
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
      { name: 'iy', kind: 'number', help: 'implied yield, percent per year' },
      { name: 'ee', kind: 'number', help: 'expected edge in cents; lower bound only' },
      { name: 'las', kind: 'number', help: 'liquidity-adjusted spread; upper bound only' },
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
    help: 'Technical signals from prices: trend, momentum, levels; strongest first',
    example: 'TECH @kalshi',
  }),
  look({
    verb: 'OPIN',
    title: 'Opinions',
    area: 'Ask',
    route: '/api/public/opinions',
    subjects: ['topic', 'ticker'],
    args: [text],
    byVenue: false,
    help: 'Rule-based opinions with counterarguments, newest first',
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
    help: 'News and changes of a topic, newest first',
    example: 'FEED iran 24h',
  }),
  look({
    verb: 'DISC',
    title: 'Discussion',
    area: 'Ask',
    route: '/api/public/discuss',
    subjects: ['topic', 'ticker'],
    args: [{ name: 'text', kind: 'question', help: 'a question in plain language' }],
    byVenue: false,
    help: 'A question from several perspectives, with their disagreements',
    example: 'DISC will the fed cut rates in december',
  }),
  world({
    verb: 'GUIDE',
    title: 'Guide',
    area: 'Ask',
    route: '/api/public/guide',
    subjects: [],
    args: [{ name: 'intent', kind: 'slug', help: 'guide, such as find-edges' }],
    help: 'Step-by-step guides; without arguments lists all guides',
    example: 'GUIDE find-edges',
  }),
  world({
    verb: 'SKILL',
    title: 'Playbooks',
    area: 'Ask',
    route: '/api/public/skills',
    subjects: [],
    args: [{ name: 'skill', kind: 'slug', help: 'playbook, such as explain-a-move' }],
    help: 'Playbooks for agents, with their instructions',
    example: 'SKILL explain-a-move',
  }),
]

/** The user's watchlist, and the health of the sources. */
export const WATCH_COMMANDS: readonly CommandSpec[] = [
  app({
    verb: 'WATCH',
    area: 'Watch',
    title: 'Watchlist',
    subjects: ['ticker'],
    flags: ['import'],
    help: 'Add a market to the watchlist; without arguments lists it, to json exports, -import imports',
    example: '. WATCH',
  }),
  app({
    verb: 'UNWATCH',
    area: 'Watch',
    title: 'Unwatch',
    subjects: ['ticker'],
    needsMarket: true,
    help: 'Remove a market from the watchlist',
    example: '. UNWATCH',
  }),
  app({
    verb: 'HEALTH',
    area: 'App',
    title: 'Data health',
    effect: 'read',
    route: '/status',
    help: 'State, age, errors and rate limits of every source',
    example: 'HEALTH',
  }),
]
