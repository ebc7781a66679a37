import { describe, expect, it } from 'vitest'
import { marketFacts } from '../../testing/market-facts.ts'
import { finderBoard, finderQuestions, scoreFinder } from '../../testing/finder-questions.ts'
import type { Millis } from '../units.ts'
import { compare } from './differences.ts'
import { readQuestion } from './question.ts'
import { marketReading } from './reading.ts'

const AS_OF = Date.parse('2026-11-20T14:00:00Z') as Millis
const NO_SPELLINGS = { similarTo: () => [] }

const differences = (
  question: string,
  title: string,
  facts: Parameters<typeof marketFacts>[0] = {},
) =>
  compare(
    readQuestion(question, AS_OF, NO_SPELLINGS),
    marketReading(marketFacts({ title, eventTitle: null, closeTime: null, ...facts })),
  ).differences.map(({ text }) => text)

describe('a question and a market', () => {
  it.each([
    [
      'will the fed cut rates in september',
      'Will the Fed decrease rates after the September 2026 meeting?',
    ],
    ['is starmer going to resign before july', 'Starmer out by June 30, 2026?'],
    ['israeli prime minister', 'Who will be Prime Minister of Israel?'],
    ['bitcoin 150k', 'Will Bitcoin hit $150,000?'],
    ['will gta 6 cost more than 70 dollars', 'What will the price of GTA VI be? More than $70'],
    ['will jd vance win', 'Will J.D. Vance win?'],
    ['will openai not ipo', 'Will OpenAI not IPO by December 31?'],
    ['no change in fed rates', 'Will there be no change in Fed interest rates?'],
    ['no change in fed rates', 'Fed decision in January? - Hike 0bps'],
    ['will spacex land on mars by 2030', 'Will SpaceX land on Mars before 2030?'],
    ['will the us leave nato', 'Will Trump withdraw from NATO?'],
  ])('%s: %s', (question, title) => expect(differences(question, title)).toEqual([]))

  it('knows a misspelled name by its canonical form', () => {
    expect(differences('etherium 10000', 'Will Ethereum reach $10,000?')).toEqual([])
    expect(differences('ethan 10000', 'Will Ethereum reach $10,000?')).not.toEqual([])
  })

  it('dates a market by its expected result where that is before its close', () => {
    const facts = {
      closeTime: Date.parse('2026-12-04T02:00:00Z') as Millis,
      expirationTime: Date.parse('2026-11-20T02:00:00Z') as Millis,
    }
    expect(differences('lakers win tonight', 'Lakers Winner?', facts)).toEqual([])
    expect(
      differences('lakers win tonight', 'Lakers Winner?', { ...facts, expirationTime: null }),
    ).toEqual(['other date: 2026-12-04'])
  })

  it('takes “by” and “before” a day alike, also across the turn of a month', () => {
    const question = 'Will Ukraine hold a presidential election by Jan 1, 2027?'
    const facts = { subtitle: 'Before Jan 1, 2027' }
    expect(differences(question, question, facts)).toEqual([])
    const later = { subtitle: 'Before Jan 1, 2028' }
    expect(differences(question, question.replace('2027', '2028'), later)).toHaveLength(1)
    expect(differences(question.replace('Jan 1', 'Jan 2'), question, facts)).toHaveLength(1)
  })

  it.each([
    ['rain in london', 'Rain in NYC?', 'other place: New York'],
    ['will biden be impeached', 'Trump impeached?', 'does not name “biden”'],
    ['fed cut in december', 'Fed cut in September 2026?', 'other date: 2026-09-30'],
    ['recession in 2028', 'US recession by end of 2026?', 'other date: 2026-12-31'],
    ['bitcoin above 90k', 'Bitcoin above $80,000?', 'other number: 80,000'],
    [
      'will the fed hike in january',
      'Fed decision in January? - Hike 0bps',
      'asks about something else',
    ],
    [
      'will the fed cut rates in december',
      'When will the Fed announce an emergency rate cut? - Before Dec 25, 2026',
      'asks only about “emergency”',
    ],
    ['will openai ipo', 'Will OpenAI not IPO?', 'asks the opposite'],
    [
      'will kamala harris resign',
      'Will Kamala Harris win the election?',
      'asks about something else',
    ],
    [
      'will microsoft be acquired',
      'Will Microsoft have the best AI model?',
      'asks about something else',
    ],
    [
      'next prime minister of italy',
      'Will the Chancellor of Italy leave?',
      'asks about something else',
    ],
  ])('%s: %s – %s', (question, title, difference) =>
    expect(differences(question, title)).toContain(difference),
  )

  it('dates a question relative to today', () => {
    expect(differences('rain in nyc tomorrow', 'Rain in NYC on Nov 21, 2026?')).toEqual([])
    expect(differences('rain in nyc tomorrow', 'Rain in NYC on Nov 22, 2026?')).toEqual([
      'other date: 2026-11-22',
    ])
    expect(differences('oil next month', 'Oil at the end of December 2026?')).toEqual([])
    expect(differences('oil next month', 'Oil at the end of November 2026?')).toHaveLength(1)
    expect(differences('recession this year', 'Recession in 2027?')).toEqual([
      'other date: 2027-12-31',
    ])
  })

  it('compares a month with the close when the title names no time', () => {
    const closing = (text: string) => ({ closeTime: Date.parse(text) as Millis })
    expect(differences('fed cut december', 'Fed cut?', closing('2026-12-09T19:00:00Z'))).toEqual([])
    expect(differences('fed cut december', 'Fed cut?', closing('2026-09-16T19:00:00Z'))).toEqual([
      'other date: 2026-09-16',
    ])
    expect(
      differences('fed cut in december', 'Fed cut in 2026?', closing('2026-12-31T00:00:00Z')),
    ).toEqual(['other date: 2026-12-31'])
  })
})

describe('the finder over recorded markets', () => {
  const board = finderBoard()
  const questions = finderQuestions()

  it('has at least 150 answerable and 40 unanswerable questions, each once', () => {
    expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length)
    expect(questions.filter(({ events }) => events.length > 0).length).toBeGreaterThanOrEqual(150)
    expect(questions.filter(({ events }) => events.length === 0).length).toBeGreaterThanOrEqual(40)
  })

  it('finds the intended event, and none if no market matches', () => {
    const score = scoreFinder(board, questions)
    expect(score.recallAt1).toBeGreaterThanOrEqual(0.85)
    expect(score.recallAt5).toBeGreaterThanOrEqual(0.95)
    expect(score.falseAnswers).toBeLessThanOrEqual(0.05)
  })

  it('keeps the outcomes of an event together and the scores descending', () => {
    for (const { question } of questions.slice(0, 40)) {
      const { hits } = board.find(question, null, 30)
      const events = hits.map(({ view }) => view.facts.eventId)
      const changes = events.filter((event, index) => event !== events[index - 1])
      expect(changes).toEqual([...new Set(events)])
      const scores = hits.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    }
  })

  it('names what differs from the nearest markets', () => {
    const { hits, nearest } = board.find('highest temperature in tokyo on august 20', null, 10)
    expect(hits).toEqual([])
    expect(nearest[0]?.differences.map(({ text }) => text)).toEqual(['other place: London'])
  })
})
