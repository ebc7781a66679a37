import { EXAMPLE_VENUE, look, market } from './command-spec.ts'
import type { ArgSpec, CommandSpec, FilterSpec } from './command-spec.ts'

const category: FilterSpec = { name: 'category', kind: 'enum', help: 'category of the venue' }
const gap: FilterSpec = { name: 'gap', kind: 'number', max: 100, help: 'minimum gap in cents' }
const window: ArgSpec = {
  name: 'window',
  kind: 'enum',
  values: ['1h', '6h', '24h', '3d'],
  help: 'window of the first market’s move',
}

/** Edges, ideas, links, curves, odds, and questions in plain language. */
export const CONTEXT_COMMANDS: readonly CommandSpec[] = [
  market({
    verb: 'XV',
    title: 'Cross-venue',
    route: '/api/public/market/{ticker}?cv_preset=browse',
    args: [
      { name: 'timeframe', kind: 'enum', values: ['1m', '5m', '15m', '1h', '1d'], help: 'step' },
    ],
    help: 'A market and its counterpart on the other venue: gap, books, rules',
    example: '. XV 1h',
  }),
  look({
    verb: 'CONT',
    title: 'Contagion',
    area: 'Market',
    route: '/api/public/contagion',
    subjects: ['topic', 'ticker'],
    args: [window],
    filters: [gap],
    byVenue: false,
    help: 'Markets expected to follow a linked market’s move, with past results',
    example: 'CONT 24h gap>3',
  }),
  look({
    verb: 'XVP',
    title: 'Cross-venue pairs',
    route: '/api/public/cross-venue/pairs',
    args: [
      {
        name: 'sort',
        kind: 'enum',
        values: ['gap', 'confidence', 'volume'],
        help: 'largest first',
      },
    ],
    filters: [
      { name: 'conf', kind: 'number', max: 1, help: 'minimum confidence, 0 to 1' },
      gap,
      { name: 'status', kind: 'enum', values: ['active', 'closed'], help: 'state of the pair' },
    ],
    byVenue: false,
    help: 'The same question on two venues: match confidence and price gap',
    example: 'XVP gap conf>0.8 gap>2',
  }),
  look({
    verb: 'EDGE',
    title: 'Edges',
    route: '/api/edges',
    filters: [{ name: 'edge', kind: 'number', max: 100, help: 'minimum edge in cents' }],
    help: 'Markets that theses price differently, largest edge after costs first',
    example: 'EDGE iran edge>5',
  }),
  look({
    verb: 'IDEA',
    title: 'Ideas',
    route: '/api/public/ideas',
    subjects: [],
    args: [{ name: 'text', kind: 'text', help: 'text of the idea' }],
    filters: [
      { name: 'side', kind: 'enum', values: ['yes', 'no'], help: 'side to buy' },
      { name: 'conviction', kind: 'enum', values: ['high', 'medium', 'low'], help: 'conviction' },
      category,
    ],
    byVenue: false,
    help: 'Trade ideas from prices, with counterarguments',
    example: 'IDEA conviction=high',
  }),
  look({
    verb: 'HIGH',
    title: 'Highlights',
    route: '/api/public/highlights',
    filters: [category],
    byVenue: false,
    help: 'Top of each list: movers, edges, contagion, resolving, new, volume',
    example: 'HIGH iran',
  }),
  look({
    verb: 'YC',
    title: 'Yield curves',
    route: '/api/public/yield-curves',
    args: [
      {
        name: 'shape',
        kind: 'enum',
        values: ['up', 'flat', 'inverted', 'humped'],
        help: 'shape of the curve',
      },
    ],
    help: 'Prices of one question by deadline: shape, slope and hazards',
    example: 'YC iran up',
  }),
  look({
    verb: 'ODDS',
    title: 'Odds',
    route: '/api/public/odds',
    args: [
      {
        name: 'band',
        kind: 'enum',
        values: ['mid', 'moving'],
        help: 'mid: 20 to 80¢; moving: 5¢ or more in a day',
      },
    ],
    filters: [category],
    byVenue: false,
    help: 'One price per question, weighted by liquidity over its markets',
    example: 'ODDS moving',
  }),
  look({
    verb: 'CALIB',
    title: 'Calibration',
    route: '/api/public/calibration',
    args: [
      {
        name: 'period',
        kind: 'enum',
        values: ['7d', '30d', '90d', 'all'],
        help: 'markets settled in this period',
      },
    ],
    filters: [category, { name: 'vol', kind: 'number', help: 'minimum volume in dollars' }],
    help: 'Calibration: share of markets in each price bucket that resolved YES',
    example: `CALIB 90d vol>10k ${EXAMPLE_VENUE}`,
  }),
  look({
    verb: 'LIQ',
    title: 'Liquidity',
    route: '/api/public/liquidity-by-theme',
    subjects: [],
    args: [{ name: 'text', kind: 'text', help: 'text of the theme' }],
    filters: [category],
    help: 'Liquidity of themes: volume, depth and spread',
    example: 'LIQ category=politics',
  }),
  look({
    verb: 'CAL',
    title: 'Calendar',
    route: '/api/public/calendar',
    subjects: ['topic', 'ticker'],
    args: [{ name: 'within', kind: 'duration', help: 'how far ahead: 7d, 90d' }],
    filters: [
      {
        name: 'kind',
        kind: 'enum',
        values: ['resolution', 'econ_release', 'gov_action', 'election', 'fed_meeting', 'custom'],
        help: 'kind of event',
      },
      category,
    ],
    byVenue: false,
    help: 'Upcoming events: releases, meetings, elections and settlements, soonest first',
    example: 'CAL fed-rate 90d',
  }),
  look({
    verb: 'BRIEF',
    title: 'Briefing',
    area: 'Ask',
    route: '/api/public/briefing',
    args: [
      {
        name: 'window',
        kind: 'enum',
        values: ['1h', '6h', '12h', '24h', '48h', '72h', '7d', '30d'],
        help: 'how far back',
      },
      { name: 'path', kind: 'path', help: 'region: topic, group, series or keyword' },
    ],
    byVenue: false,
    help: 'Recent and upcoming events of a region on one page',
    example: 'BRIEF iran 24h',
  }),
  look({
    verb: 'ASK',
    title: 'Answer',
    area: 'Ask',
    route: '/api/public/query',
    subjects: [],
    args: [{ name: 'text', kind: 'question', help: 'a question in plain language' }],
    byVenue: false,
    help: 'Ask a question in plain language, answered from markets and texts; same as "? text"',
    example: 'ASK will the fed cut rates in december',
  }),
]
