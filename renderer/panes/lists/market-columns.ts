import type { MarketRow } from '../../../backend/contract/market.ts'
import type { Settings } from '../../shell/window/settings.svelte.ts'
import type { Column } from '../../ui/table/table.ts'
import { volumeOf } from '../parts/market-volume.ts'
import { firstSeenOf } from './market-rows.ts'

type Cell = Column<MarketRow>['cell']

/** Drawing of each column of a list of markets. */
interface MarketCells {
  readonly name: Cell
  readonly venue: Cell
  readonly price: Cell
  readonly change: Cell
  readonly bid: Cell
  readonly ask: Cell
  readonly spread: Cell
  readonly volume: Cell
  readonly interest: Cell
  /** When the market closes, or when it was first seen. */
  readonly last: Cell
}

interface MarketList {
  readonly settings: Settings
  /** Shows when a market was first seen instead of when it closes. */
  readonly isNew: boolean
  /** Sorts changes by their size. */
  readonly bySize: boolean
}

export const marketColumns = (
  cells: MarketCells,
  { settings, isNew, bySize }: MarketList,
): readonly Column<MarketRow>[] => [
  {
    id: 'market',
    label: 'Market',
    width: 250,
    flexible: true,
    shortens: true,
    cell: cells.name,
    sortValue: ({ title }) => title,
  },
  { id: 'venue', label: 'V', help: 'Venue', width: 30, hidePriority: 4, cell: cells.venue },
  {
    id: 'price',
    label: 'Price',
    width: 66,
    cell: cells.price,
    cents: ({ price }) => price,
  },
  {
    id: 'change',
    label: '24h',
    help: 'Price change in 24 hours',
    width: 84,
    cell: cells.change,
    cents: ({ change24h }) => change24h,
    sortValue: ({ change24h }) => (bySize && change24h !== null ? Math.abs(change24h) : change24h),
  },
  {
    id: 'bid',
    label: 'Bid',
    width: 60,
    hidePriority: 5,
    cell: cells.bid,
    cents: ({ bestBid }) => bestBid,
  },
  {
    id: 'ask',
    label: 'Ask',
    width: 60,
    hidePriority: 5,
    cell: cells.ask,
    cents: ({ bestAsk }) => bestAsk,
  },
  {
    id: 'spread',
    label: 'Spread',
    help: 'Spread in cents',
    width: 62,
    hidePriority: 6,
    cell: cells.spread,
    cents: ({ spread }) => spread,
  },
  {
    id: 'volume',
    label: 'Vol 24h',
    help: `24-hour volume in ${settings.volumeName}`,
    width: 76,
    numeric: true,
    hidePriority: 2,
    cell: cells.volume,
    sortValue: (row) => volumeOf(settings, row.volume24h, row),
  },
  {
    id: 'interest',
    label: 'OI',
    help: `Open interest in ${settings.volumeName}`,
    width: 68,
    numeric: true,
    hidePriority: 7,
    cell: cells.interest,
    sortValue: (row) => volumeOf(settings, row.openInterest, row),
  },
  isNew
    ? {
        id: 'seen',
        label: 'Seen',
        help: 'First seen, local time',
        width: 116,
        numeric: true,
        hidePriority: 1,
        cell: cells.last,
        sortValue: firstSeenOf,
      }
    : {
        id: 'closes',
        label: 'Closes',
        help: 'Time to close',
        width: 64,
        numeric: true,
        hidePriority: 3,
        cell: cells.last,
        sortValue: ({ closeTime }) => closeTime,
      },
]
