import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor } from './pagination.ts'

const isText = (query: unknown): query is string => typeof query === 'string'
const forged = (text: string) => Buffer.from(text).toString('base64url')

describe('a cursor', () => {
  it.each([[null], [-1.5], [1e18]])('carries its query and the key %s', (key) => {
    const cursor = { query: 'newest', after: [key, 'id'] as const }
    expect(decodeCursor(encodeCursor(cursor), isText)).toEqual(cursor)
  })

  it.each(['["newest",1e400,"id"]', '["newest",-1e400,"id"]', '["newest","1","id"]'])(
    'is invalid with the key of %s',
    (text) => {
      expect(() => decodeCursor(forged(text), isText)).toThrow('cursor is invalid')
    },
  )
})
