import { expect, it } from 'vitest'
import { usd } from './backtest/usd.ts'
import { EXIT, exitOfStatus } from './failure.ts'
import { routePath } from './route.ts'

it('fills in the parameters of a route, each as one segment', () => {
  expect(routePath('/api/thesis/:id/positions/:position', { id: 'a/b', position: 'ü?' })).toBe(
    '/api/thesis/a%2Fb/positions/%C3%BC%3F',
  )
  expect(routePath('/api/world/*', { '*': '/middle east//iran/' })).toBe(
    '/api/world/middle%20east/iran',
  )
})

it.each(['', '.', '..'])('refuses "%s", which would leave its segment', (id) => {
  expect(() => routePath('/api/thesis/:id', { id })).toThrow('is not a valid name')
  expect(() => routePath('/api/thesis/:id', {})).toThrow('is not a valid name')
  if (id !== '') expect(() => routePath('/api/world/*', { '*': `iran/${id}` })).toThrow()
})

it.each([
  [400, EXIT.usage],
  [401, EXIT.credential],
  [403, EXIT.credential],
  [404, EXIT.missing],
  [409, EXIT.refused],
  [410, EXIT.missing],
  [429, EXIT.rateLimited],
  [402, EXIT.failed],
  [500, EXIT.failed],
])('an answer %d ends with exit code %d', (status, exit) => {
  expect(exitOfStatus(status)).toBe(exit)
})

it('writes dollars with the sign first', () => {
  expect([3.2, -3.2, 0, null].map(usd)).toEqual(['$3.20', '-$3.20', '$0.00', '–'])
})
