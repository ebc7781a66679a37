import { describe, expect, it } from 'vitest'
import { hasRecordings, recording, WITHOUT_RECORDINGS } from '../../../bench/recordings.ts'
import { factsOf, IMPORTED, ofType } from '../../testing/venue-payloads.ts'
import type { ParsedEvents } from '../parsed.ts'
import { parseClobBooks, parseDataTradesPage } from './parse-tape.ts'
import { parseGammaEventsPage, parseGammaMarketsPage } from './parse.ts'

describe.skipIf(!hasRecordings)(
  `venue_b recordings (${hasRecordings ? 'present' : WITHOUT_RECORDINGS})`,
  () => {
    const count = (parsed: ParsedEvents) => factsOf(parsed).length

    it('reads 239 of 242 markets of the Iran dump; three were never deployed', () => {
      const parsed = parseGammaEventsPage(
        recording('venue_b/polymarket_iran_raw_2026-03.json'),
        IMPORTED,
      )
      expect(count(parsed)).toBe(239)
      expect(parsed.skipped).toEqual({ 'market without a condition id': 3 })
      expect(factsOf(parsed).filter(({ result }) => result === 'yes')).toHaveLength(47)
      expect(factsOf(parsed)[0]).toMatchObject({
        title: 'US strikes Iran by February 5, 2026?',
        seriesTitle: 'US strikes iran',
        category: 'world',
        result: 'no',
      })
    })

    it('trap 30: reads the reduced Gamma dump; 570 of 1,761 are placeholders without a name', () => {
      const parsed = parseGammaEventsPage(
        recording('venue_b/polymarket_gamma_events_2026-03-01.json'),
        IMPORTED,
      )
      expect(count(parsed)).toBe(1_191)
      expect(parsed.skipped).toEqual({ 'placeholder outcome': 570 })
      expect(factsOf(parsed)[0]).toMatchObject({
        title: 'MicroStrategy sells any Bitcoin in 2025?',
        category: 'finance',
        status: 'settled',
        result: 'no',
      })
      expect(ofType(parsed, 'quote_changed')[0]).toMatchObject({ bid: 1_200, ask: 1_400 })
    })

    it('reads the API recordings', () => {
      const at = (name: string) => recording(`venue_b/api_recordings/${name}.json`)
      expect(count(parseGammaEventsPage(at('pmvl_polymarket_events'), IMPORTED))).toBe(7)
      expect(count(parseGammaEventsPage(at('nt_gamma_event'), IMPORTED))).toBe(2)
      expect(count(parseGammaEventsPage(at('nt_search_response'), IMPORTED))).toBe(1)
      expect(count(parseGammaMarketsPage(at('pmvl_polymarket_markets'), IMPORTED))).toBe(3)
      expect(count(parseGammaMarketsPage(at('nt_gamma_market'), IMPORTED))).toBe(1)
      expect(
        count(parseGammaMarketsPage(at('nt_gamma_market_sports_market_money_line'), IMPORTED)),
      ).toBe(1)
      for (const name of ['nt_event', 'nt_events_list']) {
        expect(parseGammaEventsPage(at(name), IMPORTED)).toMatchObject({
          events: [],
          skipped: { 'market without two outcomes': 3 },
        })
      }
      for (const name of ['nt_market', 'nt_market_slug', 'nt_markets_list', 'nt_markets']) {
        expect(parseGammaMarketsPage(at(name), IMPORTED).events).toEqual([])
      }
      const best = (name: string) => {
        const [quote] = ofType(parseClobBooks(at(name), IMPORTED), 'quote_changed')
        return [quote?.bid, quote?.ask]
      }
      expect(best('nt_book')).toEqual([1_000, 1_400])
      expect(best('nt_clob_book_response')).toEqual([5_000, 5_100])
      expect(best('nt_ws_book')).toEqual([5_110, 5_140])
      expect(best('pmvl_polymarket_book')).toEqual([10, 40])
      expect(parseDataTradesPage(at('nt_trades'), IMPORTED).events).toHaveLength(4)
      expect(parseDataTradesPage(at('nt_data_api_trades_response'), IMPORTED).skipped).toEqual({
        'trade of an unknown outcome': 3,
      })
    })
  },
)
