import { Elysia, t } from 'elysia'
import {
  ConfigChange,
  ConfigSchema,
  ConfigStored,
  LiveConfirmation,
} from '../../../contract/portfolio.ts'
import { answers, conflictWith, failures, responses } from '../../../contract/schemas.ts'
import { adapter } from '../../../http/adapter.ts'
import { knownCaller } from '../../../http/auth/auth.ts'
import { objectBody } from '../../../http/request/body.ts'
import { routePolicies } from '../../../http/routes/route-policies.ts'
import type { ConfigService } from '../config.service.ts'

const USER_POLICY = { auth: 'required', on401: 'unauthorized', cache: 'no-store' } as const

/** Unmet preconditions of live trading, and its first step. */
const Lacking = conflictWith({
  failed: t.Optional(t.Array(t.Object({ name: t.String(), message: t.String() }))),
  confirmation: t.Optional(LiveConfirmation),
})

/** A user's limits and switches. They read no market data, so that a halt works at any time. */
export const configRoutes = (config: ConfigService) =>
  new Elysia({ prefix: '/api/portfolio', tags: ['portfolio'], adapter })
    .use(routePolicies)
    .get('/config', async ({ request }) => await config.config(knownCaller(request).userId), {
      ...USER_POLICY,
      response: answers(ConfigSchema, 401, 429),
      detail: { operationId: 'portfolio.config', summary: 'Your limits and switches' },
    })
    .put(
      '/config',
      async ({ request, body }) => {
        const { userId, credential } = knownCaller(request)
        return await config.put(userId, body, credential.kind === 'session')
      },
      {
        ...USER_POLICY,
        body: objectBody(ConfigChange),
        response: responses({ 200: ConfigStored, ...failures(400, 401, 403, 429), ...Lacking }),
        detail: {
          operationId: 'portfolio.configure',
          summary: 'Changes the sent fields; live trading takes two steps',
        },
      },
    )
