import { REGIME_LABELS } from '../../../backend/domain/regime/label.ts'
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
  help: 'region: topic, group, series or keyword; subregion after a slash',
}

/** The world, explanations of its items, and its gauges. */
export const WORLD_COMMANDS: readonly CommandSpec[] = [
  world({
    verb: 'WORLD',
    aliases: ['W'],
    title: 'World',
    route: '/api/agent/world/{path}',
    args: [path, { name: 'since', kind: 'duration', help: 'baseline: 6h, 24h' }],
    help: 'Overview: salient items, each with links to follow',
    example: 'WORLD iran 24h',
  }),
  world({
    verb: 'DELTA',
    title: 'World delta',
    route: '/api/agent/world/delta',
    subjects: [],
    args: [{ name: 'since', kind: 'duration', help: 'how far back: 5m, 1h, 24h' }],
    help: 'Changes in the world since an earlier time',
    example: 'DELTA 1h',
  }),
  world({
    verb: 'EXPLAIN',
    title: 'Explanation',
    route: '/api/agent/world?op=explain',
    subjects: [],
    args: [{ name: 'item', kind: 'item', help: 'world item id' }],
    help: 'Explains a world item: hypotheses with evidence',
    example: 'EXPLAIN s-4k2m9q',
  }),
  world({
    verb: 'TRAIL',
    title: 'Trail',
    route: '/api/agent/world?op=trail',
    subjects: ['ticker'],
    needsMarket: true,
    help: 'Markets linked to a market, up to two hops away',
    example: 'KXFED-26DEC TRAIL',
  }),
  world({
    verb: 'DISP',
    title: 'Dispersion',
    route: '/api/agent/world/{path}?op=dispersion',
    args: [path],
    help: 'Price dispersion of a region’s markets, with outliers',
    example: 'DISP iran',
  }),
  world({
    verb: 'CATL',
    title: 'Catalysts',
    route: '/api/agent/world/{path}?op=catalyst',
    args: [path, { name: 'within', kind: 'duration', help: 'how far ahead: 24h, 7d, 30d' }],
    help: 'Upcoming events of a region: releases, meetings, elections, settlements',
    example: 'CATL fed-rate 30d',
  }),
  world({
    verb: 'IDX',
    title: 'Index',
    route: '/api/public/index',
    args: [path, { name: 'span', kind: 'duration', help: 'history: 24h, 30d' }],
    help: 'The four gauges and their components, for the world or a theme',
    example: 'IDX iran 7d',
  }),
  world({
    verb: 'REG',
    title: 'Regime scan',
    route: '/api/public/regime/scan',
    args: [
      { name: 'sort', kind: 'enum', values: REGIME_SORTS, help: 'sort column, largest first' },
    ],
    filters: [
      { name: 'label', kind: 'enum', values: REGIME_LABELS, help: 'regime label' },
      { name: 'as', kind: 'number', max: 1, help: 'adverse-selection score, 0 to 1' },
      { name: 'type', kind: 'enum', values: EVENT_TYPES, help: 'event type' },
      {
        name: 'seen',
        kind: 'enum',
        values: OBSERVABILITIES,
        help: 'observability of the outcome before settlement',
      },
      {
        name: 'edge',
        kind: 'enum',
        values: ['yes', 'no'],
        help: 'edge of at least 1¢, or none',
      },
      { name: 'category', kind: 'enum', help: 'category of the venue' },
      { name: 'vol24h', alias: 'v', kind: 'number', help: '24-hour volume in dollars' },
    ],
    byVenue: true,
    help: 'Markets by regime (maker or taker advantage), with the reasons for each score',
    example: 'REG label=taker as>0.6',
  }),
  world({
    verb: 'GLOSS',
    title: 'Glossary',
    area: 'Ask',
    route: '/api/public/glossary/{slug}',
    subjects: [],
    args: [{ name: 'term', kind: 'slug', help: 'a term, such as salience' }],
    help: 'Meaning, formula and limits of a quantity; without arguments lists all terms',
    example: 'GLOSS salience',
  }),
]
