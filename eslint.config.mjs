import eslint from '@eslint/js'
import prettier from 'eslint-config-prettier'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import tseslint from 'typescript-eslint'

const readsConfiguration = [
  { object: 'process', property: 'env', message: 'Only config.ts reads the environment.' },
  {
    object: 'process',
    property: 'argv',
    message: 'Only config.ts and the entry points read flags.',
  },
]
const readsTheClock = [
  { object: 'Date', property: 'now', message: 'Time comes from the injected Clock.' },
  { object: 'performance', property: 'now', message: 'Use clock.monotonic().' },
  { object: 'Math', property: 'random', message: 'Randomness is an argument.' },
]
const makesDates = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: 'Time comes from the injected Clock.',
  },
  {
    selector: 'CallExpression[callee.name="Date"]',
    message: 'Time comes from the injected Clock.',
  },
]
const bareProcess = {
  paths: [
    {
      name: 'node:process',
      importNames: ['env', 'argv'],
      message: 'Only config.ts and the entry points read the environment and flags.',
    },
  ],
}

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'out/',
      'coverage/',
      'test-results/',
      'playwright-report/',
      '**/fixtures/*.json',
    ],
  },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...svelte.configs['flat/recommended'],
  prettier,
  ...svelte.configs['flat/prettier'],
  {
    languageOptions: {
      globals: globals.node,
      parserOptions: {
        // Types are read once for the whole run; a project service that also follows edits takes a
        // fifth longer.
        project: ['tsconfig.json', 'renderer/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'object-shorthand': 'error',
      'prefer-template': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Ports are asynchronous by contract, even if an adapter has nothing to await.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
    },
  },
  {
    files: ['backend/**/*.ts'],
    ignores: ['backend/lib/clock.ts'],
    rules: {
      'no-restricted-properties': ['error', ...readsConfiguration, ...readsTheClock],
      'no-restricted-syntax': ['error', ...makesDates],
      'no-restricted-imports': ['error', bareProcess],
    },
  },
  {
    files: [
      'backend/app/config.ts',
      'backend/main.ts',
      'backend/replay-process.ts',
      'backend/service-process.ts',
      'backend/cli/**/*.ts',
      'backend/simulator/main.ts',
      'backend/testing/take-restore-until-killed.ts',
      'backend/testing/credential-holder.ts',
    ],
    rules: {
      'no-restricted-properties': ['error', ...readsTheClock],
      'no-restricted-imports': 'off',
    },
  },
  {
    // Runs in the page that is measured or tested.
    files: ['bench/*.page.js', 'e2e/fixtures/in-page.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['electron/**/*.ts', 'e2e/**/*.ts'],
    ignores: [
      'electron/launch.ts',
      'electron/main.ts',
      'electron/backend-entry.ts',
      'electron/preload.ts',
    ],
    rules: {
      'no-restricted-properties': ['error', ...readsConfiguration],
      'no-restricted-imports': ['error', bareProcess],
    },
  },
  {
    files: ['electron/launch.ts', 'backend/cli/**/*.{ts,mjs}', 'scripts/**', 'bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.test.ts', 'backend/testing/**/*.ts', 'e2e/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  {
    files: ['renderer/**'],
    languageOptions: { globals: globals.browser },
  },
  {
    // svelte-check checks the types of components.
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
  },
  {
    files: ['**/*.svelte', '**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { project: null } },
  },
)
