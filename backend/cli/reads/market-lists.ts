import type { RegimeRow, ScreenRow } from '../../contract/market.ts'
import type { MarketChange } from '../../contract/market-history.ts'
import { MARKET_STATUSES } from '../../domain/market.ts'
import { REGIME_LABELS } from '../../domain/regime/label.ts'
import { REGIME_SORTS } from '../../domain/regime/scan.ts'
import { amount, cents, minute, percent, text, type Column } from '../terminal/output.ts'
import { list } from './answer.ts'
import {
  changeColumn,
  leftAlignedColumn,
  MARKET_COLUMNS,
  PRICE,
  right,
  TICKER,
  TITLE,
  VENUE,
  VOLUME,
} from './market-columns.ts'
import {
  toggle,
  number,
  choiceFlag,
  range,
  signedFlag,
  venue as venueFlag,
  textFlag,
} from './read-flags.ts'
import { request, type Read } from './read.ts'

const MARKET_SORTS = ['volume24h', 'volume', 'closeTime', 'price', 'spread', 'change24h']
const FURTHER_SORTS = ['openInterest', 'newest']
const SCREEN_SORTS = ['iy', 'ee', 'or', 'las', 'cri', 'tau', 'volume']

const venue = venueFlag('venue', 'markets of one venue')
const price = range('price_min', 'price_max', 'price, cents')
const volume24h = number('vol24h_min', 'USD', 'minimum volume in 24 hours')

const SCREEN_COLUMNS: readonly Column<ScreenRow>[] = [
  TITLE,
  PRICE,
  right('IY', ({ indicators }) => percent(indicators.iy)),
  changeColumn('EE', ({ indicators }) => indicators.ee),
  right('LAS', ({ indicators }) => amount(indicators.las)),
  right('CRI', ({ indicators }) => amount(indicators.cri)),
  right('Days', ({ indicators }) => amount(indicators.tau)),
  VOLUME,
  leftAlignedColumn('Regime', (row) => text(row.regimeLabel)),
  VENUE,
  TICKER,
]

const REGIME_COLUMNS: readonly Column<RegimeRow>[] = [
  TITLE,
  leftAlignedColumn('Label', (row) => text(row.label)),
  right('Score', (row) => amount(row.score)),
  leftAlignedColumn('Trend', (row) => text(row.trendLabel)),
  PRICE,
  right('Spread', ({ signals }) => cents(signals.spreadCents)),
  changeColumn('Edge', ({ signals }) => signals.sfEdgeCents),
  VOLUME,
  VENUE,
  TICKER,
]

/** The unit depends on the type of the change. */
const formatChange = (value: number | string | null): string =>
  typeof value === 'number' ? amount(value) : text(value)
const CHANGE_COLUMNS: readonly Column<MarketChange>[] = [
  TITLE,
  leftAlignedColumn('Type', (row) => text(row.type)),
  right('Before', (row) => formatChange(row.before)),
  right('After', (row) => formatChange(row.after)),
  right('Change', (row) => amount(row.delta)),
  leftAlignedColumn('At (UTC)', (row) => minute(row.at)),
  PRICE,
  VENUE,
  TICKER,
]

/** Lists of markets and of their changes. */
export const MARKET_LISTS: readonly Read[] = [
  {
    name: 'markets',
    summary: 'markets by filter and rank',
    list: 'paged',
    flags: {
      q: textFlag('q', 'TEXT', 'words of title, event or ticker'),
      topic: textFlag('topic', 'T', 'theme'),
      venue,
      status: choiceFlag('status', ['open', ...MARKET_STATUSES], 'state; active by default'),
      sort: choiceFlag('sort', [...MARKET_SORTS, ...FURTHER_SORTS], 'order'),
    },
    routeOf: () => request('/api/public/markets', list('markets', MARKET_COLUMNS, 500)),
  },
  {
    name: 'scan',
    summary: 'active markets that match a text, best first',
    synopsis: 'TEXT…',
    list: 'limited',
    flags: {
      venue,
      price,
      'vol-min': number('vol_min', 'USD', 'minimum total volume'),
      'vol24h-min': volume24h,
      'expires-before': textFlag('expires_before', 'ISO', 'closes before'),
      'expires-after': textFlag('expires_after', 'ISO', 'closes after'),
      'include-subcent': toggle('include_subcent', true, 'include prices under one cent'),
    },
    routeOf: ({ args: words }) =>
      request('/api/public/scan', list('results', MARKET_COLUMNS), { q: words.join(' ') }),
  },
  {
    name: 'screen',
    summary: 'active markets by their indicators',
    list: 'paged',
    flags: {
      keyword: textFlag('keyword', 'TEXT', 'words of title, event or ticker'),
      iy: range('iy_min', 'iy_max', 'implied yield of YES, percent per year'),
      'ee-min': signedFlag('ee_min', 'C', 'minimum expected edge, cents'),
      'las-max': number('las_max', 'X', 'maximum spread relative to price'),
      cri: range('cri_min', 'cri_max', 'cliff ratio'),
      tau: range('tau_min_days', 'tau_max_days', 'days to the close'),
      price,
      'vol24h-min': volume24h,
      'has-thesis': toggle('has_thesis', true, 'with a thesis'),
      sort: choiceFlag('sort', SCREEN_SORTS, 'order'),
      order: choiceFlag('order', ['asc', 'desc'], 'its direction'),
    },
    routeOf: () => request('/api/public/screen', list('markets', SCREEN_COLUMNS, 200)),
  },
  {
    name: 'regime',
    summary: 'markets by adverse selection',
    list: 'paged',
    flags: {
      label: choiceFlag('label', REGIME_LABELS, 'one label'),
      as: range('as_min', 'as_max', 'adverse-selection score, 0 to 1'),
      venue,
      'has-edge': toggle('has_edge', true, 'with an edge of at least a cent'),
      sort: choiceFlag('sort', REGIME_SORTS, 'order'),
    },
    routeOf: () => request('/api/public/regime/scan', list('markets', REGIME_COLUMNS, 200)),
  },
  {
    name: 'changes',
    summary: 'changes of markets, newest first',
    list: 'paged',
    flags: {
      since: textFlag('since', 'SPAN|ISO', 'default: one hour ago'),
      type: textFlag('type', 'T,T', 'types of change'),
    },
    routeOf: () => request('/api/changes', list('changes', CHANGE_COLUMNS, 500)),
  },
]
