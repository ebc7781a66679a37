import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { documentedBody } from '../../http/request/body.ts'
import { answers, failures, responses } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import {
  CliLoginStarted,
  CliLoginBody,
  CliLoginCompleted,
  CliLoginExpired,
  CliLoginStatus,
} from '../../contract/accounts.ts'
import type { CliLogins } from './cli-logins.service.ts'
import { digestOfToken, tokenFromQuery } from './cli-token.ts'

export const cliLoginRoutes = (logins: CliLogins) =>
  new Elysia({ prefix: '/api/auth/cli', tags: ['accounts'], adapter })
    .use(routePolicies)
    .post('', ({ body }) => logins.begin(body), {
      body: documentedBody(CliLoginBody),
      auth: 'none',
      rate: 'auth',
      cache: 'no-store',
      response: answers(CliLoginStarted, 400, 403, 409, 429, 500),
      detail: {
        operationId: 'auth.cli.begin',
        summary: 'Starts a command-line login, valid for five minutes',
      },
    })
    .get(
      '/poll',
      async ({ request, status }) => {
        const login = await logins.poll(tokenFromQuery(searchOf(request.url)))
        return login.status === 'expired' ? status(410, login) : login
      },
      {
        auth: 'none',
        rate: 'cli-poll',
        subject: pollSubject,
        secretQuery: true,
        cache: 'no-store',
        response: responses({ 200: CliLoginStatus, 410: CliLoginExpired, ...failures(400, 429) }),
        detail: {
          operationId: 'auth.cli.poll',
          summary: 'State of a login; returns its key once',
          parameters: [
            {
              name: 'token',
              in: 'query',
              required: true,
              description: 'the session token, percent-encoded; a plus sign is literal',
              schema: { type: 'string', minLength: 32, maxLength: 4096 },
            },
          ],
        },
      },
    )
    .post('/complete', ({ request, body }) => logins.complete(knownCaller(request).userId, body), {
      body: documentedBody(CliLoginBody),
      auth: 'session',
      on401: 'Not authenticated',
      cache: 'no-store',
      response: answers(CliLoginCompleted, 400, 401, 403, 409, 410, 429, 503),
      detail: {
        operationId: 'auth.cli.complete',
        summary: 'Creates the key of a login for the signed-in user',
      },
    })

const searchOf = (url: string): string => {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** Polls are counted by the hash of their token, so that no window stores the token itself. */
function pollSubject(search: string): string | null {
  const token = tokenFromQuery(search)
  return token === null ? null : digestOfToken(token)
}
