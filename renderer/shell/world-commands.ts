import { world, type ArgSpec, type CommandSpec } from './command-spec.ts'

const EVENT_TYPES = [
  'data_release',
  'political',
  'financial',
  'sports',
  'weather',
  'cultural',
  'scientific',
] as const
const OBSERVABILITIES = ['none', 'low', 'medium', 'high', 'direct'] as const
const REGIME_SORTS = ['score', 'volume24h', 'spread', 'depth', 'edge', 'tau'] as const

const path: ArgSpec = {
  name: 'path',
  kind: 'path',
  help: 'region: a topic, group, series or word, deeper ones after a slash',
}

/** The world, what stands behind its items, and its gauges. */
export const WORLD_COMMANDS: readonly CommandSpec[] = [
  world({
    verb: 'WORLD',
    aliases: ['W'],
    title: 'World',
    route: '/api/agent/world/{path}',
    args: [path, { name: 'since', kind: 'duration', help: 'what it is compared with: 6h, 24h' }],
    help: 'What is going on: the items that stand out, each with threads to pull',
    example: 'WORLD iran 24h',
  }),
  world({
    verb: 'DELTA',
    title: 'World delta',
    route: '/api/agent/world/delta',
    subjects: [],
    args: [{ name: 'since', kind: 'duration', help: 'how far back: 5m, 1h, 24h' }],
    help: 'What changed in the world since a while ago',
    example: 'DELTA 1h',
  }),
  world({
    verb: 'EXPLAIN',
    title: 'Explanation',
    route: '/api/agent/world?op=explain',
    subjects: [],
    args: [{ name: 'item', kind: 'item', help: 'id of an item of the world' }],
    help: 'Why an item of the world stands out: hypotheses with evidence',
    example: 'EXPLAIN s-4k2m9q',
  }),
  world({
    verb: 'TRAIL',
    title: 'Trail',
    route: '/api/agent/world?op=trail',
    subjects: ['ticker'],
    needsMarket: true,
    help: 'Markets that move with a market, up to two steps away',
    example: 'KXFED-26DEC TRAIL',
  }),
  world({
    verb: 'DISP',
    title: 'Dispersion',
    route: '/api/agent/world/{path}?op=dispersion',
    args: [path],
    help: 'Where the markets of a region disagree, and who stands apart',
    example: 'DISP iran',
  }),
  world({
    verb: 'CATL',
    title: 'Catalysts',
    route: '/api/agent/world/{path}?op=catalyst',
    args: [path, { name: 'within', kind: 'duration', help: 'how far ahead: 24h, 7d, 30d' }],
    help: 'What is due in a region: releases, meetings, elections, settlements',
    example: 'CATL fed-rate 30d',
  }),
  world({
    verb: 'IDX',
    title: 'Index',
    route: '/api/public/index',
    args: [path, { name: 'span', kind: 'duration', help: 'how much history: 24h, 30d' }],
    help: 'The four gauges with what they are made of, of the world or of a theme',
    example: 'IDX iran 7d',
  }),
  world({
    verb: 'REG',
    title: 'Regime scan',
    route: '/api/public/regime/scan',
    args: [{ name: 'sort', kind: 'enum', values: REGIME_SORTS, help: 'order, largest first' }],
    filters: [
      { name: 'label', kind: 'enum', values: ['maker', 'taker', 'neutral'], help: 'regime label' },
      { name: 'as', kind: 'number', max: 1, help: 'adverse-selection score, 0 to 1' },
      { name: 'type', kind: 'enum', values: EVENT_TYPES, help: 'kind of event' },
      {
        name: 'seen',
        kind: 'enum',
        values: OBSERVABILITIES,
        help: 'how observable the outcome is before it is settled',
      },
      {
        name: 'edge',
        kind: 'enum',
        values: ['yes', 'no'],
        help: 'an edge of at least a cent, or none',
      },
      { name: 'category', kind: 'enum', help: 'category of the venue' },
      { name: 'vol24h', alias: 'v', kind: 'number', help: 'dollars traded in 24 hours' },
    ],
    byVenue: true,
    help: 'Markets by who is paid for crossing the spread, with the reasons of each score',
    example: 'REG label=taker as>0.6',
  }),
  world({
    verb: 'GLOSS',
    title: 'Glossary',
    area: 'Ask',
    route: '/api/public/glossary/{slug}',
    subjects: [],
    args: [{ name: 'term', kind: 'slug', help: 'a term, such as salience' }],
    help: 'What a quantity means, its formula and its limits; alone it lists the terms',
    example: 'GLOSS salience',
  }),
]
