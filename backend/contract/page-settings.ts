import { t } from 'elysia'
import type { Static } from 'elysia'
import { Iso } from './schemas.ts'

export const PageSettingsBody = t.Object({
  settings: t.Record(t.String(), t.Unknown(), {
    description:
      'look of the terminal such as theme, text size and row height; at most 4,000 characters of JSON',
  }),
})
/** The user's settings of the terminal. The page interprets them; the service only stores them. */
export const PageSettings = t.Object({
  settings: t.Union([PageSettingsBody.properties.settings, t.Null()], {
    description: 'null before the first were stored',
  }),
  updatedAt: t.Union([Iso, t.Null()]),
})
export type PageSettings = Static<typeof PageSettings>
