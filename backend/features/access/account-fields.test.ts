import { describe, expect, it } from 'vitest'
import { emailOf, nameFromEmail, nameOf, newPassword, typedPassword } from './account-fields.ts'

const EMAIL = 'email must be an address'
const PASSWORD = 'password must be 10 to 256 characters'
const NAME = 'name must be 1 to 60 characters'

describe('emails', () => {
  it.each([
    ['ann@example.test', 'ann@example.test'],
    ['  Ann@Example.TEST ', 'ann@example.test'],
    ['a@b', 'a@b'],
    ['ünï@bücher.test', 'ünï@bücher.test'],
    [`${'a'.repeat(252)}@b`, `${'a'.repeat(252)}@b`],
  ])('reads %j', (sent, email) => {
    expect(emailOf(sent)).toBe(email)
  })

  // [auth.signup.bodies]
  it.each([
    [undefined],
    [null],
    [5],
    [['a@b.test']],
    [''],
    ['ann'],
    ['@b'],
    ['a@'],
    ['a@b@c'],
    ['a b@c'],
    ['a@b\u0000'],
    ['a\n@b'],
    [`${'a'.repeat(253)}@b`],
  ])('refuses %j', (sent) => {
    expect(() => emailOf(sent)).toThrow(EMAIL)
  })
})

describe('passwords', () => {
  it.each([
    ['ten letters', 'abcdefghij', 'abcdefghij'],
    ['blanks at its ends', '  12345678  ', '  12345678  '],
    ['256 letters', 'x'.repeat(256), 'x'.repeat(256)],
    ['ten signs of two code units', '🔑'.repeat(10), '🔑'.repeat(10)],
    ['letters in another form', 'ｐａｓｓｗｏｒｄ１２', 'password12'],
    ['an accent apart', 'cafe\u0301-cafe\u0301!', 'caf\u00e9-caf\u00e9!'],
  ])('are accepted with %s', (_what, sent, password) => {
    expect(newPassword(sent)).toBe(password)
  })

  // [auth.signup.bodies]
  it.each([
    ['nine letters', 'abcdefghi'],
    ['nine signs of two code units', '🔑'.repeat(9)],
    ['257 letters', 'x'.repeat(257)],
    ['a form that grows', '\ufdfa'.repeat(15)],
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['half a sign', `${'x'.repeat(10)}\ud800`],
    ['nothing', undefined],
    ['a number', 1_234_567_890],
  ])('are refused with %s', (_what, sent) => {
    expect(() => newPassword(sent)).toThrow(PASSWORD)
    expect(typedPassword(sent)).toBeNull()
  })
})

describe('names', () => {
  it.each([
    ['  Ann ', 'Ann'],
    ['🔑'.repeat(60), '🔑'.repeat(60)],
  ])('reads %j', (sent, name) => {
    expect(nameOf(sent)).toBe(name)
  })

  it.each([[undefined], [null], [5], [''], ['   '], ['x'.repeat(61)], ['a\u0007b']])(
    'refuses %j',
    (sent) => {
      expect(() => nameOf(sent)).toThrow(NAME)
    },
  )

  it('default to the local part of the email', () => {
    expect(nameFromEmail('ann.lee@example.test')).toBe('ann.lee')
    expect(nameFromEmail(`${'a'.repeat(100)}@b`)).toBe('a'.repeat(60))
  })
})
