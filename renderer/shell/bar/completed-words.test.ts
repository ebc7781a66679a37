import { describe, expect, it } from 'vitest'
import { completedWords } from './completed-words.ts'

const TITLES = [
  'Will Bitcoin reach $90,000 by December 31, 2026?',
  'When will Powell leave the Board of Governors? - Before Feb 25, 2027',
]

describe('completedWords', () => {
  it.each([
    ['bitc', 'bitcoin'],
    ['Bitcoin 90', 'bitcoin 90,000'],
    ['bitcoin $90', 'bitcoin 90,000'],
    ['powell feb', 'powell feb'],
    ['pow gov', 'powell governors'],
  ])('%s is %s', (text, completed) => {
    expect(completedWords(text, TITLES)).toBe(text === completed ? null : completed)
  })

  it('needs all words in one title, from their beginning', () => {
    expect(completedWords('bitc powell', TITLES)).toBeNull()
    expect(completedWords('coin', TITLES)).toBeNull()
    expect(completedWords('powlel', TITLES)).toBeNull()
    expect(completedWords('bitc', [])).toBeNull()
  })
})
