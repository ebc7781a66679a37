// Writes the pages of docs/methodology that are made from the glossary's terms.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { methodologyPage } from '../backend/features/editorial/terms/term-markdown.ts'
import { TERM_CATEGORIES } from '../backend/features/editorial/terms/term.ts'
import type { TermCategory } from '../backend/features/editorial/terms/term.ts'
import { TERMS } from '../backend/features/editorial/terms/terms.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'methodology')
for (const category of Object.keys(TERM_CATEGORIES) as TermCategory[]) {
  writeFileSync(join(folder, `${category}.md`), methodologyPage(category, TERMS))
}
