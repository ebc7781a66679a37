import { Elysia } from 'elysia'
import { PageSettings, PageSettingsBody } from '../../contract/accounts.ts'
import { answers } from '../../contract/schemas.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { objectBody } from '../../http/request/body.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { State } from '../../state/open.ts'
import { createPageSettingsStore, type PageSettingsRow } from './page-settings.store.ts'

const OWNER_ONLY = { auth: 'required', on401: 'unauthorized', cache: 'no-store' } as const

const toResponse = (row: PageSettingsRow | null): PageSettings => ({
  settings: row === null ? null : { ...row.settings },
  updatedAt: row === null ? null : isoOf(row.updatedAt),
})

/** The settings that a body names. @throws InvalidInput unless they are an object */
function settingsIn(body: unknown): PageSettingsRow['settings'] {
  const settings = new BodyFields(body).raw('settings')
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new InvalidInput('settings must be an object')
  }
  return { ...settings }
}

/** Routes of the look of the terminal, which follows a user to other machines. */
export function pageSettingsRoutes(state: State, clock: Pick<Clock, 'now'>) {
  const store = createPageSettingsStore(state)
  return new Elysia({ prefix: '/api/terminal', tags: ['accounts'], adapter })
    .use(routePolicies)
    .get(
      '/settings',
      async ({ request }) => toResponse(await store.get(knownCaller(request).userId)),
      {
        ...OWNER_ONLY,
        response: answers(PageSettings, 401, 429),
        detail: { operationId: 'terminal.settings', summary: 'Your settings of the terminal' },
      },
    )
    .put(
      '/settings',
      async ({ request, body }) => {
        const { userId } = knownCaller(request)
        return toResponse(await store.change(userId, settingsIn(body), clock.now()))
      },
      {
        ...OWNER_ONLY,
        body: objectBody(PageSettingsBody),
        response: answers(PageSettings, 400, 401, 429),
        detail: {
          operationId: 'terminal.replaceSettings',
          summary: 'Stores settings of the terminal; settings that are not sent keep their values',
        },
      },
    )
}
