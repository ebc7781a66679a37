import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth.ts'
import { answers, failures } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import {
  CliLoginBegun,
  CliLoginCompleted,
  CliLoginExpired,
  CliLoginStanding,
} from './cli-logins.schema.ts'
import type { CliLogins } from './cli-logins.service.ts'
import { digestOfToken, tokenIn } from './cli-token.ts'

export const cliLoginRoutes = (logins: CliLogins) =>
  new Elysia({ prefix: '/api/auth/cli', tags: ['accounts'], adapter })
    .use(routeWords)
    .post('', ({ body }) => logins.begin(body), {
      body: t.Any(),
      auth: 'none',
      rate: 'auth',
      cache: 'no-store',
      response: answers(CliLoginBegun, 400, 403, 409, 429, 500),
      detail: {
        operationId: 'auth.cli.begin',
        summary: 'Begins a login of the command line, for five minutes',
      },
    })
    .get(
      '/poll',
      async ({ request, status }) => {
        const standing = await logins.poll(tokenIn(searchOf(request.url)))
        return standing.status === 'expired' ? status(410, standing) : standing
      },
      {
        auth: 'none',
        rate: 'cli-poll',
        subject: pollSubject,
        secretQuery: true,
        cache: 'no-store',
        response: { 200: CliLoginStanding, 410: CliLoginExpired, ...failures(400, 429) },
        detail: {
          operationId: 'auth.cli.poll',
          summary: 'Where a login stands; hands its key out once',
          parameters: [
            {
              ...{ name: 'token', in: 'query', required: true },
              description: 'the session token, percent-encoded; a plus sign is a plus sign',
              schema: { type: 'string', minLength: 32, maxLength: 4096 },
            },
          ],
        },
      },
    )
    .post('/complete', ({ request, body }) => logins.complete(knownCaller(request).userId, body), {
      body: t.Any(),
      auth: 'session',
      on401: 'Not authenticated',
      cache: 'no-store',
      response: answers(CliLoginCompleted, 400, 401, 403, 409, 410, 429, 503),
      detail: {
        operationId: 'auth.cli.complete',
        summary: 'Makes the key of a login, for who is signed in',
      },
    })

const searchOf = (url: string): string => {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** Polls count by the hash of their token, so that no window holds the token itself. */
function pollSubject(search: string): string | null {
  const token = tokenIn(search)
  return token === null ? null : digestOfToken(token)
}
