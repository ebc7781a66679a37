import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import type { Access } from './access.ts'
import { accountRoutes, externalRoutes, publicKeyRoutes } from './account.routes.ts'
import { cliLoginRoutes } from './cli-logins.routes.ts'
import { dataKeysRoutes, keysRoutes } from './keys/keys.routes.ts'
import { sessionRoutes } from './sessions/session.routes.ts'
import { usersRoutes } from './users.routes.ts'

/** Routes of accounts, keys, sessions and users. */
export const accessRoutes = (access: Access) =>
  new Elysia({ adapter })
    .use(sessionRoutes(access.signIn))
    .use(accountRoutes(access.accounts))
    .use(externalRoutes(access.external))
    .use(publicKeyRoutes(access.publicKeys))
    .use(usersRoutes(access.users))
    .use(cliLoginRoutes(access.cliLogins))
    .use(keysRoutes(access.serviceKeys))
    .use(dataKeysRoutes(access.dataKeys))
