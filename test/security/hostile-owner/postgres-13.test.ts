import { describeHostileOwner } from './suite.ts';

describeHostileOwner(13);
