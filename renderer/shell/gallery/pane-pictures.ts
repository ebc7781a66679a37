import type { Verb } from '../commands/commands.ts'

/** Schematic pictures of panes, as paths in a box of 64 × 40. */
export const PICTURES = {
  list: 'M6 8H40M6 16H36M6 24H42M6 32H34M48 8H58M50 16H58M48 24H58M51 32H58',
  chart: 'M6 34V6M6 34H58M10 26L18 20L26 24L36 12L44 16L56 8',
  candles: 'M12 10V32M9 16H15V26H9ZM28 6V28M25 10H31V22H25ZM44 12V34M41 18H47V30H41ZM57 8V24',
  ladder: 'M30 6V34M26 10H8M26 17H14M26 24H20M34 10H40M34 17H48M34 24H56M34 31H52M26 31H18',
  facts: 'M6 8H34M6 18H24M32 18H40M6 26H22M32 26H42M6 34H26M32 34H38M48 6H58V14H48Z',
  gauge: 'M12 32A20 20 0 0 1 52 32M32 32L44 18M8 36H56',
  map: 'M6 6H34V24H6ZM34 6H58V16H34ZM34 16H46V34H34ZM46 16H58V34H46ZM6 24H34V34H6Z',
  graph:
    'M14 20L32 10M14 20L32 32M32 10L52 14M32 32L52 26M14 20h.1M32 10h.1M32 32h.1M52 14h.1M52 26h.1',
  text: 'M6 8H58M6 15H54M6 22H58M6 29H40',
  form: 'M6 8H20M26 5H58V12H26ZM6 20H20M26 17H58V24H26ZM42 29H58V36H42Z',
  board: 'M6 6H30V18H6ZM34 6H58V18H34ZM6 22H30V34H6ZM34 22H58V34H34Z',
  console: 'M6 10L12 15L6 20M16 20H30M6 30H50',
} as const
export type PictureName = keyof typeof PICTURES

const OF_VERB: Readonly<Partial<Record<Verb, PictureName>>> = {
  GP: 'candles',
  BOOK: 'ladder',
  DES: 'facts',
  HIST: 'chart',
  MICRO: 'chart',
  TECH: 'chart',
  XV: 'ladder',
  TRAIL: 'graph',
  THES: 'graph',
  CONT: 'graph',
  IDX: 'gauge',
  WORLD: 'facts',
  DISP: 'chart',
  LIQ: 'map',
  YC: 'chart',
  CALIB: 'chart',
  BRIEF: 'text',
  ASK: 'text',
  DISC: 'text',
  OPIN: 'text',
  EXPLAIN: 'text',
  GLOSS: 'text',
  GUIDE: 'text',
  SKILL: 'text',
  HELP: 'text',
  MW: 'board',
  BT: 'chart',
  SQL: 'console',
  TERM: 'console',
  REPLAY: 'form',
  SET: 'form',
  KEY: 'form',
  SECRET: 'form',
  ACCOUNT: 'form',
  HEALTH: 'gauge',
  USE: 'chart',
  RISK: 'gauge',
  TICKS: 'text',
}

export const pictureOf = (verb: Verb): PictureName => OF_VERB[verb] ?? 'list'
