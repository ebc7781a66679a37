// Writes the pages of docs/methodology that are generated from the glossary's terms.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { methodologyPage } from '../backend/features/editorial/texts/term-markdown.ts'
import { TERM_CATEGORIES, TERMS } from '../backend/features/editorial/texts/texts.ts'
import type { TermCategory } from '../backend/features/editorial/texts/texts.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'methodology')
for (const category of Object.keys(TERM_CATEGORIES) as TermCategory[]) {
  writeFileSync(join(folder, `${category}.md`), methodologyPage(category, TERMS))
}
