import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { commandText, type Command, type ParseProblem } from './command.ts'
import { TIMEFRAMES } from '../../../backend/domain/prices/candle.ts'
import { COMMANDS, TOPICS, VERBS } from './commands.ts'
import { parseLine } from './parse.ts'

const commandsOf = (line: string): readonly Command[] => {
  const result = parseLine(line)
  if (!Array.isArray(result)) throw new Error(`“${line}”: ${(result as ParseProblem).message}`)
  return result
}
const only = (line: string): Command => {
  const [command, ...rest] = commandsOf(line)
  if (command === undefined || rest.length > 0) throw new Error('one command expected')
  return command
}
const problemOf = (line: string): ParseProblem => {
  const result = parseLine(line)
  if (Array.isArray(result)) throw new Error(`“${line}” parsed`)
  return result as ParseProblem
}
const conditionId = `0x${'AB'.repeat(32)}`

describe('parseLine', () => {
  it.each([
    ['KXFED-26DEC DES', 'KXFED-26DEC DES'],
    ['des kxfed-26dec', 'KXFED-26DEC DES'],
    ['KXFED-26DEC', 'KXFED-26DEC DES'],
    ['kxfed', '$KXFED DES'],
    ['$GP', '$GP DES'],
    ['GP $GP', '$GP GP'],
    [conditionId, `${conditionId.toLowerCase()} DES`],
    [`pm:${conditionId} book`, `${conditionId.toLowerCase()} BOOK`],
    ['. BOOK in float', '. BOOK in float'],
    ['BOOK', '. BOOK'],
    ['BOOK fed', '$FED BOOK'],
    ['GP 15x', '15X GP'],
    ['GP 15m', '. GP 15m'],
    ['GP rsi +kxa-1 SMA:50 +pair rsi', '. GP +KXA-1 +pair rsi:14 sma:50'],
    ['KXFED-26DEC GP 1h plain +none', 'KXFED-26DEC GP 1h +none plain'],
    ['KXFED-26DEC GP 7d 15m in b', 'KXFED-26DEC GP 15m 7d in B'],
    ['KXFED-26DEC in new', 'KXFED-26DEC DES in new'],
    ['oil', 'oil SCAN'],
    ['geopolitics/iran MOV', 'iran MOV'],
    ['MOV #oil @p', 'oil MOV @polymarket'],
    ['NEW iran 24h', 'iran NEW 24h'],
    [
      'SCAN oil vol24h>1000 price=20..60 @venue_a to csv',
      'SCAN oil vol24h>1000 price=20..60 @kalshi to csv',
    ],
    ['SCAN v>1k vol>=2m price<60c', 'SCAN vol24h>1000 vol>=2000000 price<60'],
    ['SCAN expires<2026-12-01', 'SCAN expires<2026-12-01'],
    ['SCAN "in A"', 'SCAN "in A"'],
    ['SCAN fed rate in september', 'SCAN "fed rate in september"'],
    ['SCAN -subcent -subcent', 'SCAN -subcent'],
    ['CHG 6h type=price_move', 'CHG 6h type=price_move'],
    ['. CHG', '. CHG'],
    ['help gp', 'HELP GP'],
    ['TH LIGHT', 'TH light'],
    ['WS market', 'WS market'],
    ['? what moved', 'ASK what moved'],
    ['?will oil>100 @p in december?', 'ASK "will oil>100 @p in december?"'],
    ['ask who wins -maybe to json', 'ASK "who wins -maybe" to json'],
    ['XVP gap conf>0.8', 'XVP gap conf>0.8'],
    ['kxfed cont', '$KXFED CONT'],
    ['brief IRAN 24h', 'BRIEF 24h iran'],
    ['iran BRIEF', 'iran BRIEF'],
    ['world', 'WORLD'],
    ['WORLD iran 24h', 'WORLD iran 24h'],
    ['WORLD 24h Geopolitics/Iran', 'WORLD geopolitics/iran 24h'],
    ['WORLD tariffs', 'WORLD tariffs'],
    ['iran WORLD', 'iran WORLD'],
    ['CATL fed-rate 30d', 'CATL fed-rate 30d'],
    ['IDX #oil 7d', 'oil IDX 7d'],
    ['DELTA 1h', 'DELTA 1h'],
    ['EXPLAIN S-4K2M9Q', 'EXPLAIN s-4k2m9q'],
    ['TRAIL KXFED-26DEC', 'KXFED-26DEC TRAIL'],
    ['REG label=taker as>0.6 v>1k @k', 'REG label=taker as>0.6 vol24h>1000 @kalshi'],
    ['GLOSS Salience', 'GLOSS salience'],
    ['board', 'MW'],
    ['panel 2', 'PANEL 2'],
    ['PANEL move 3 1', 'PANEL move 3 1'],
    ['panel ADD prices p=20%..60% every=5M', 'PANEL add prices probability=0.2..0.6 every=5m'],
    ['PANEL rename 2 title="In A to csv"', 'PANEL rename 2 title="In A to csv"'],
    ['PANEL add watchlist tickers=KXA-1,KXB-2', 'PANEL add watchlist tickers="KXA-1,KXB-2"'],
    ['sql', 'SQL'],
    ['SQL select 1;', 'SQL select 1'],
    ['sql  select "a b",  \'x;  y\' -- why', 'SQL select "a b",  \'x;  y\' -- why'],
    ['SQL select 1\nfrom trades to CSV', 'SQL select 1\nfrom trades to csv'],
    [
      'SQL from trades where ts>1 and -1 in (1) in b',
      'SQL from trades where ts>1 and -1 in (1) in B',
    ],
    ['replay STEP 1H', 'REPLAY step 1h'],
    ['REPLAY seek 2026-11-01', 'REPLAY seek 2026-11-01'],
    ['REPLAY speed max', 'REPLAY speed max'],
    ['PANEL index -manual as=stat', 'PANEL index as=stat -manual'],
    ['oil price>20', 'oil SCAN price>20'],
    ['oil -subcent', 'oil SCAN -subcent'],
    ['oil to csv', 'oil SCAN to csv'],
    ['KXFED-26 to md', 'KXFED-26 DES to md'],
    ['kx1', 'KX1 DES'],
    ['GP "1h"', '. GP 1h'],
    ['SCAN "@k" "-x" "price>3"', 'SCAN "@k -x price>3"'],
    ['SCAN "to" "csv"', 'SCAN "to csv"'],
    ['SCAN fed in 9', 'SCAN fed in 9'],
    ['SCAN fed IN d', 'SCAN fed in D'],
    ['SCAN fed in e', 'SCAN "fed in e"'],
    ['SCAN "a b" c', 'SCAN a b c'],
    ['SCAN .x', 'SCAN ".x"'],
    ['WS "two screens"', 'WS "two screens"'],
    ['REG as=10%..20%', 'REG as=0.1..0.2'],
    ['SCAN price>=1 price<=99', 'SCAN price>=1 price<=99'],
    ['SCAN price=100', 'SCAN price=100'],
    ['SCAN price=0..100', 'SCAN price=0..100'],
    ['SCAN price=20..20', 'SCAN price=20..20'],
    ['REG as=100%', 'REG as=1'],
    ['REG as=1', 'REG as=1'],
    ['SCAN vol24h>1.5K', 'SCAN vol24h>1500'],
    ['SCAN vol24h>0.5M', 'SCAN vol24h>500000'],
    ['SCAN vol24h=50%', 'SCAN vol24h=50'],
    ['SCAN price<60C', 'SCAN price<60'],
    ['PANEL add movers every=0s', 'PANEL add movers every=0s'],
    ['PANEL add movers every=1.5H', 'PANEL add movers every=1.5h'],
    ['TAPE 0', '. TAPE 0'],
    ['tape 1000', '. TAPE 1000'],
    ['REPLAY speed 3600', 'REPLAY speed 3600'],
    ['MOV; MOV;', null],
  ])('reads “%s” as “%s”', (line, canonical) => {
    expect(commandsOf(line).map(commandText)).toEqual(
      canonical === null ? ['MOV', 'MOV'] : [canonical],
    )
  })

  it('reads everything after SQL as its statement, and commands before it', () => {
    const line = "MOV; SQL select 'a;b'; MOV"
    expect(commandsOf(line).map(commandText)).toEqual(['MOV', "SQL select 'a;b'; MOV"])
  })

  it('reads a chain and drops a trailing semicolon', () => {
    expect(commandsOf('TH dark; MOV ;').map(commandText)).toEqual(['TH dark', 'MOV'])
  })

  it.each([
    ['', 0, 'Type a market or a command'],
    ['  ;MOV', 2, 'Type a market or a command'],
    ['MOVE', 0, 'No command or market called “MOVE”'],
    ['KXFED-26DEC GPP', 12, 'Unknown command GPP'],
    ['SCAN price=120', 11, 'price needs a number from 0 to 100'],
    ['SCREEN price=100.5', 13, 'price needs a number from 0 to 100'],
    ['SCAN price=60..20', 11, 'price needs a number from 0 to 100'],
    ['SCAN prce>20', 5, 'SCAN has no filter prce'],
    ['SCAN price!=20', 10, '!= is not supported; use ='],
    ['SCAN "open', 5, 'Unclosed quote'],
    [
      'CHG type=move',
      9,
      'type needs one of price_move, new_market, status_change, resolved, volume_spike, regime_change, spread_change, close_time_change',
    ],
    ['MOV @c', 4, 'Unknown venue c'],
    ['. BOOK @k', 7, 'BOOK accepts no venue'],
    ['oil BOOK', 0, 'BOOK accepts a ticker, not a topic'],
    ['KXFED-26 MOV', 0, 'MOV accepts a topic, not a ticker'],
    ['MOV to pdf', 4, '“to” needs csv, json, md, png, clip after it'],
    ['KXFED ALERT 120', 12, 'ALERT needs a price from 0 to 100'],
    ['TH blue', 3, 'TH does not accept “blue”'],
    ['EXPLAIN KXFED', 8, 'EXPLAIN does not accept “KXFED”. HELP EXPLAIN shows what it accepts'],
    ['REG as>1.2', 7, 'as needs a number from 0 to 1'],
    ['MOV -x', 4, 'MOV has no flag -x'],
    ['PANEL add everything', 10, 'PANEL does not accept “everything”'],
    ['PANEL add movers every=often', 23, 'every needs a duration such as 30s, 5m or 1h'],
    [
      'PANEL add movers as=map',
      20,
      'as needs one of table, list, stat, gauge, line, bar, sparkline',
    ],
    ['PANEL add prices p=120%', 19, 'probability needs a number from 0 to 1'],
    ['PANEL 1 title>x', 13, 'title accepts only ='],
    ['PANEL 1 title=', 14, 'title needs text; quote several words'],
    ['PANEL remove 0', 13, 'PANEL does not accept “0”'],
    ['?', 1, 'Type a question'],
    ['  ? to csv', 3, 'Type a question'],
    ['"gp"', 0, 'No command or market called “gp”'],
    ['"?x"', 0, 'No command or market called “?x”'],
    ['KXFED-26 "gp"', 9, 'Unknown command GP'],
    ['zzz GP', 0, 'No market or topic called “zzz”'],
    ['fed', 0, 'No command or market called “fed”'],
    ['#oil', 0, 'No command or market called “#oil”'],
    ['MOV;;MOV', 4, 'Type a market or a command'],
    [';', 0, 'Type a market or a command'],
    ['MOV #nope', 4, 'Unknown theme nope'],
    ['BOOK #oil', 5, 'BOOK accepts no theme'],
    ['oil MOV #iran', 8, 'Name one market or topic only; remove “#iran”'],
    ['. MOV', 0, 'MOV accepts a topic, not a ticker'],
    ['oil TH', 0, 'TH accepts nothing, not a topic'],
    ['KXFED-26 @k', 9, 'DES accepts no venue'],
    ['WS 2 3', 5, 'WS does not accept “3”. HELP WS shows what it accepts'],
    ['SCAN price=1..2..3', 11, 'price needs a number from 0 to 100'],
    ['SCAN price=1..', 11, 'price needs a number from 0 to 100'],
    ['SCAN price=..1', 11, 'price needs a number from 0 to 100'],
    ['SCAN price=1..101', 11, 'price needs a number from 0 to 100'],
    ['SCAN price>1..2', 10, 'A range accepts only ='],
    ['SCAN vol24h>x', 12, 'vol24h needs a number of 0 or more'],
    ['SCAN expires<2026-13-01', 13, 'expires needs a day such as 2026-12-01'],
    ['SCAN price>', 11, 'price needs a number from 0 to 100'],
    ['SCAN expires<soon', 13, 'expires needs a day such as 2026-12-01'],
    ['MOV "x', 4, 'Unclosed quote'],
    ['KXFED ALERT -5', 12, 'ALERT needs a price from 0 to 100'],
    ['KXFED ALERT x', 12, 'ALERT does not accept “x”'],
  ])('marks where “%s” is wrong', (line, at, message) => {
    expect(problemOf(line)).toMatchObject({ at, message })
  })

  it('offers the three nearest names', () => {
    expect(problemOf('KXFED-26DEC BOK').expected).toHaveLength(3)
    expect(problemOf('KXFED-26DEC BOK').expected[0]).toBe('BOOK')
    expect(problemOf('SCAN prce>20').expected[0]).toBe('price=')
  })

  it.each([
    ['MOV @c', ['@kalshi', '@polymarket']],
    ['MOV -x', ['-thin']],
    ['oil BOOK', []],
    ['KXFED-26 MOV', [...TOPICS]],
    ['MOV to', ['csv', 'json', 'md', 'png', 'clip']],
    ['', [...VERBS]],
    ['SCAN "open', ['"']],
  ])('“%s” expects the words that may be there', (line, expected) => {
    expect(problemOf(line).expected).toEqual(expected)
  })

  it.each([
    ['MOV #irn', '#iran'],
    ['irn GP', 'iran'],
    ['TH blu', 'light'],
    ['CHG tpye=resolved', 'type='],
  ])('“%s” is near “%s”', (line, near) => {
    expect(problemOf(line).expected.slice(0, 3)).toContain(near)
  })

  it('reads every example of the table', () => {
    for (const { example, verb } of COMMANDS) expect(only(example).verb).toBe(verb)
  })
})

const ticker = fc
  .tuple(
    fc.stringMatching(/^[A-Z0-9]{1,8}$/),
    fc.array(fc.stringMatching(/^[A-Z0-9.]{1,6}$/), { maxLength: 3 }),
  )
  .map(([head, tail]) => [head, ...tail].join('-'))
const words = fc.array(fc.stringMatching(/^[a-z]{1,7}$/), { minLength: 1, maxLength: 4 })

describe('for any line', () => {
  it('never throws, and points into the line', () => {
    const piece = fc.constantFrom(
      ...VERBS,
      ...TOPICS,
      '.',
      ';',
      '"',
      'price>',
      '@k',
      '-x',
      ' ',
      '$',
    )
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.oneof(piece, fc.string()), { maxLength: 8 }).map((parts) => parts.join(' ')),
    )
    fc.assert(
      fc.property(line, (text) => {
        const result = parseLine(text)
        if (Array.isArray(result)) return
        const { at, message } = result as ParseProblem
        expect(at).toBeGreaterThanOrEqual(0)
        expect(at).toBeLessThanOrEqual(text.length)
        expect(message).not.toBe('')
      }),
    )
  })

  it('prints a command that parses to the same command', () => {
    const line = fc.oneof(
      fc.array(fc.string(), { maxLength: 6 }).map((parts) => `SCAN ${parts.join(' ')}`),
      fc.tuple(ticker, fc.constantFrom('DES', 'BOOK', 'HIST')).map((parts) => parts.join(' ')),
      words.map((parts) => `SCAN ${parts.join(' ')} price>10 @k in new`),
    )
    fc.assert(
      fc.property(line, (text) => {
        const first = parseLine(text)
        if (!Array.isArray(first)) return
        const again = parseLine((first as Command[]).map(commandText).join(' ; '))
        expect(again).toEqual(first)
      }),
    )
  })

  it('accepts command and subject in either order and any case', () => {
    fc.assert(
      fc.property(ticker, fc.constantFrom(...TIMEFRAMES), (name, timeframe) => {
        const subject = `$${name}`
        const before = parseLine(`${subject} GP ${timeframe}`)
        expect(parseLine(`GP ${subject} ${timeframe}`)).toEqual(before)
        expect(parseLine(`gp ${subject.toLowerCase()} ${timeframe}`)).toEqual(before)
      }),
    )
  })
})
