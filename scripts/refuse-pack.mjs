// Run by npm before it packs the repository's own folder, whose package.json npm and editors read in different ways.
console.error(
  'This folder is not packed as it stands: `npm run release:check` packs what is published, `npm run package` the extension alone.',
);
process.exit(1);
