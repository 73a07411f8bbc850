import * as parser from '@typescript-eslint/parser';
import * as estree from '@typescript-eslint/typescript-estree';
import ts from 'typescript';

/** What parses a text that oxc refuses, by the names under which it is imported elsewhere: a bundle of its own, which is loaded with the first such text. */
export {
  parser as '@typescript-eslint/parser',
  estree as '@typescript-eslint/typescript-estree',
  ts as 'typescript',
};
