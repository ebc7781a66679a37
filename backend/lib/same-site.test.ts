import { describe, expect, it } from 'vitest'
import { isSameSite } from './same-site.ts'

describe('sites', () => {
  it.each([
    ['http://127.0.0.1:4870', 'http://127.0.0.1:5173', true],
    ['http://localhost:4870', 'http://localhost:5173', true],
    ['https://augury.example', 'https://augury.example', true],
    ['https://api.augury.example', 'https://app.augury.example', true],
    ['https://augury.example', 'https://app.augury.example', true],
    ['https://api.desk.co.uk', 'https://desk.co.uk', true],
    ['http://127.0.0.1:4870', 'http://localhost:4870', false],
    ['http://127.0.0.1:4870', 'http://127.0.0.2:4870', false],
    ['http://[::1]:4870', 'http://[::2]:4870', false],
    ['http://augury.example', 'https://augury.example', false],
    ['https://one.example', 'https://two.example', false],
    ['https://one.co.uk', 'https://two.co.uk', false],
    ['https://api', 'https://app', false],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(isSameSite(new URL(one), new URL(other))).toBe(expected)
    expect(isSameSite(new URL(other), new URL(one))).toBe(expected)
  })
})
