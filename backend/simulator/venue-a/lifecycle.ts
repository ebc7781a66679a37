import { isPaused } from '../catalogue/market.ts'
import type { SimMarket } from '../catalogue/market.ts'
import type { World } from '../world.ts'
import { dollars } from './wire.ts'

interface LifecycleMessage {
  readonly type: 'market_lifecycle_v2' | 'event_lifecycle'
  readonly msg: object
  /** Ticker of the market, or of the event. */
  readonly market: string
}

const secondsOf = (at: number): number => Math.floor(at / 1_000)

/** Messages of the lifecycle channel for (from, to]. Opening and closing by the clock have none. */
export function lifecycleBetween(
  { catalogue, announcements }: World,
  from: number,
  to: number,
): LifecycleMessage[] {
  const messages: LifecycleMessage[] = []
  const isInSpan = (at: number): boolean => at > from && at <= to
  for (const event of catalogue.events('venue_a', to))
    if (isInSpan(event.createdAt))
      messages.push({
        type: 'event_lifecycle',
        market: event.id,
        msg: {
          event_ticker: event.id,
          title: event.title,
          subtitle: '',
          series_ticker: event.seriesTicker,
          collateral_return_type: event.exclusive ? 'MECNET' : 'binary',
        },
      })
  for (const market of catalogue.markets('venue_a', to)) {
    const publish = (event_type: string, details: object): number =>
      messages.push({
        type: 'market_lifecycle_v2',
        market: market.id,
        msg: { market_ticker: market.id, event_type, ...details },
      })
    if (isInSpan(market.createdAt)) publish('created', createdDetails(market))
    if (market.closeAt < market.endAt && isInSpan(market.closeAt))
      publish('close_date_updated', { close_ts: secondsOf(market.closeAt) })
    if (isInSpan(market.determinedAt))
      publish('determined', {
        determination_ts: secondsOf(market.determinedAt),
        result: market.result,
        ...settlementOf(market),
      })
    if (isInSpan(market.settledAt)) publish('settled', { settled_ts: secondsOf(market.settledAt) })
    if (
      to < market.closeAt &&
      from >= market.openAt &&
      isPaused(market, from) !== isPaused(market, to)
    ) {
      const isNowPaused = isPaused(market, to)
      publish(isNowPaused ? 'deactivated' : 'activated', { is_deactivated: isNowPaused })
    }
  }
  for (const { at, market, type, details } of announcements)
    if (isInSpan(at))
      messages.push({
        type: 'market_lifecycle_v2',
        market,
        msg: { market_ticker: market, event_type: type, ...details },
      })
  return messages
}

const settlementOf = (market: SimMarket): object =>
  market.result === 'void' ? {} : { settlement_value: dollars(Math.round(market.payout * 10_000)) }

function createdDetails(market: SimMarket): object {
  return {
    open_ts: secondsOf(market.openAt),
    close_ts: secondsOf(market.endAt),
    price_level_structure: market.grid,
    additional_metadata: {
      name: market.choice.label,
      title: market.event.title,
      yes_sub_title: market.choice.label,
      no_sub_title: market.choice.label,
      rules_primary: market.rules,
      rules_secondary: market.rulesMore,
      event_ticker: market.event.id,
      expected_expiration_ts: secondsOf(market.endAt),
      ...(market.choice.floor === null ? {} : { floor_strike: market.choice.floor }),
      ...(market.choice.cap === null ? {} : { cap_strike: market.choice.cap }),
    },
  }
}
