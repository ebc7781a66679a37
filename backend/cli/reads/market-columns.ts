import type { MarketRow } from '../../contract/market.ts'
import { volumeUsd } from '../../domain/liquidity/volume.ts'
import type { Cents } from '../../domain/units.ts'
import { descriptorOf, venueName, type Venue } from '../../domain/venue.ts'
import { amount, cents, centsChange, minute, text, type Column } from '../terminal/output.ts'
import { toneOf } from './screen.ts'

export const TITLE: Column<{ readonly title: string }> = {
  title: 'Title',
  max: 60,
  keepsEnd: true,
  cell: (row) => text(row.title),
}
export const PRICE: Column<{ readonly price: number | null }> = {
  title: 'Price',
  align: 'right',
  cell: (row) => cents(row.price),
}
/** In dollars for every venue: one counts contracts, which are valued at the price. */
export const VOLUME: Column<{
  readonly venue: Venue
  readonly volume24h: number | null
  readonly price: number | null
}> = {
  title: 'USD 24h',
  align: 'right',
  cell: ({ venue, volume24h, price }) =>
    amount(volumeUsd(volume24h, descriptorOf(venue).volumeUnit, price as Cents | null)),
}
export const CLOSES: Column<{ readonly closeTime: string | null }> = {
  title: 'Closes',
  cell: (row) => minute(row.closeTime),
}
export const VENUE: Column<{ readonly venue: string }> = {
  title: 'Venue',
  cell: (row) => text(venueName(row.venue)),
}
export const TICKER: Column<{ readonly ticker: string }> = {
  title: 'Ticker',
  cell: (row) => text(row.ticker),
}

/** A signed change in cents, coloured by its sign. */
export const changeColumn = <Row>(
  title: string,
  change: (row: Row) => number | null | undefined,
): Column<Row> => ({
  title,
  align: 'right',
  cell: (row) => centsChange(change(row)),
  tone: (row) => toneOf(change(row)),
})

/** A right-aligned number or price. */
export const right = <Row>(title: string, textOf: (row: Row) => string): Column<Row> => ({
  title,
  cell: textOf,
  align: 'right',
})

/** The title of a row's market. */
export const marketColumn = <Row>(
  titleOf: (row: Row) => string | null | undefined,
  max = 44,
): Column<Row> => ({ title: 'Market', cell: (row) => text(titleOf(row)), max, keepsEnd: true })

export const leftAlignedColumn = <Row>(
  title: string,
  textOf: (row: Row) => string,
  max?: number,
): Column<Row> => ({
  title,
  cell: textOf,
  ...(max !== undefined && { max }),
})

export const MARKET_COLUMNS: readonly Column<MarketRow>[] = [
  TITLE,
  PRICE,
  right('Bid', (row) => cents(row.bestBid)),
  right('Ask', (row) => cents(row.bestAsk)),
  changeColumn('24h', (row) => row.change24h),
  VOLUME,
  CLOSES,
  VENUE,
  TICKER,
]
