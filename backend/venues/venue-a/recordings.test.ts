import { describe, expect, it } from 'vitest'
import { hasRecordings, recording, WITHOUT_RECORDINGS } from '../../../bench/recordings.ts'
import type { Millis } from '../../domain/units.ts'
import { factsOf, IMPORTED, ofType } from '../../testing/venue-payloads.ts'
import type { MarketDescribed } from '../connector.ts'
import type { ParsedEvents } from '../parsed.ts'
import { parseSeriesPage } from './catalogue.ts'
import { parseCandlesticks, parseTradesPage } from './parse-tape.ts'
import { parseEventsPage, parseMarketsPage } from './parse.ts'

const DAY = 86_400_000 as Millis

describe.skipIf(!hasRecordings)(
  `venue_a recordings (${hasRecordings ? 'present' : WITHOUT_RECORDINGS})`,
  () => {
    const states = (parsed: ParsedEvents) => {
      const counts: Record<string, number> = {}
      for (const { status, result } of factsOf(parsed)) {
        const key = result === null ? status : `${status} ${result}`
        counts[key] = (counts[key] ?? 0) + 1
      }
      return counts
    }

    it('reads all 763 markets of the Iran dump', () => {
      const parsed = parseEventsPage(recording('venue_a/kalshi_iran_raw_2026-03.json'), IMPORTED)
      expect(parsed.skipped).toEqual({})
      expect(states(parsed)).toEqual({
        active: 565,
        'settled no': 154,
        'settled scalar': 11,
        'settled yes': 33,
      })
      expect(ofType(parsed, 'quote_changed')).toHaveLength(565)
      const leader = parsed.events.find(
        (event): event is MarketDescribed => event.ticker === 'KXNEXTIRANLEADER-45JAN01-MARA',
      )
      expect(leader?.facts.title).toBe(
        'Who will be the next Supreme Leader of Iran? - Mohsen Araki',
      )
    })

    it('reads all 860 markets of the reduced dump, whose old field names contain dollars', () => {
      const parsed = parseEventsPage(
        recording('venue_a/kalshi_events_nested_2026-03-01.json'),
        IMPORTED,
      )
      expect(parsed.skipped).toEqual({})
      expect(states(parsed)).toEqual({ active: 847, closed: 3, resolving: 1, settled: 9 })
      expect(ofType(parsed, 'quote_changed')[0]).toMatchObject({ bid: 1_000, ask: 1_100 })
    })

    it('reads the API recordings', () => {
      const at = (name: string) => recording(`venue_a/api_recordings/${name}.json`)
      expect(parseMarketsPage(at('markets_list'), IMPORTED).skipped).toEqual({ 'combo market': 5 })
      expect(parseMarketsPage(at('market_single'), IMPORTED).skipped).toEqual({ 'combo market': 1 })
      expect(factsOf(parseEventsPage(at('event_single'), IMPORTED))[0]?.ticker).toBe(
        'KXELONMARS-99',
      )
      expect(parseEventsPage(at('events_list'), IMPORTED)).toMatchObject({
        events: [],
        skipped: {},
      })
      expect(parseEventsPage(at('events_multivariate_list'), IMPORTED).events).toEqual([])
      expect(parseTradesPage(at('trades_list'), IMPORTED).events).toHaveLength(5)
      expect(parseTradesPage(at('pmvl_kalshi_trades'), IMPORTED).events).toHaveLength(3)
      expect(factsOf(parseMarketsPage(at('pmvl_kalshi_markets'), IMPORTED))).toHaveLength(3)
      expect(factsOf(parseEventsPage(at('pmvl_kalshi_events'), IMPORTED))).toHaveLength(9)
      expect(parseSeriesPage(at('series_list'))).toHaveLength(241)
      expect(parseSeriesPage(at('series_single'))[0]).toMatchObject({
        seriesId: 'CO2',
        category: 'Climate and Weather',
        tags: ['Climate change'],
      })
      const traded = (name: string) =>
        ofType(
          parseCandlesticks(at(name), IMPORTED, DAY, 'KXELONMARS-99'),
          'candle_published',
        ).filter(({ open }) => open !== null).length
      expect([
        traded('candlesticks_batch'),
        traded('series_candlesticks'),
        traded('event_candlesticks'),
      ]).toEqual([68, 68, 70])
    })
  },
)
