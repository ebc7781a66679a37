import { TERM_CATEGORIES } from './texts.ts'
import type { Term, TermCategory } from './texts.ts'

/** A term without its heading: definition, formula, example, limits. */
export const termBody = ({ short, body, formula, example, limits }: Term): string =>
  [
    short,
    body,
    ...(formula === null ? [] : [`Formula: \`${formula}\``]),
    ...(example === null ? [] : [`Example: ${example}`]),
    `Limits: ${limits}`,
  ].join('\n\n')

/** A term as a page. */
export const termMarkdown = (term: Term): string =>
  `${[
    `# ${term.term}`,
    termBody(term),
    ...(term.seeAlso.length === 0 ? [] : [`See also: ${term.seeAlso.join(', ')}`]),
    `More: docs/methodology/${term.category}.md`,
  ].join('\n\n')}\n`

/** A page of docs/methodology: all terms of a category, with the fields that serve them. */
export const methodologyPage = (category: TermCategory, terms: readonly Term[]): string =>
  `${[
    `# ${TERM_CATEGORIES[category]}`,
    ...terms
      .filter((term) => term.category === category)
      .map((term) => {
        const fields =
          term.fields.length === 0
            ? []
            : [`Served as ${term.fields.map((field) => `\`${field}\``).join(', ')}.`]
        return [`## ${term.term}`, termBody(term), ...fields].join('\n\n')
      }),
  ].join('\n\n')}\n`
