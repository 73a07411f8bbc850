-- What somebody does at the first finding: reads it, hovers over its place, takes the fix. What was seen goes into seen.json.
local function until_there(what, is)
  if not vim.wait(60000, is, 20) then error('waited in vain for ' .. what) end
end

local function floating_window()
  return vim.iter(vim.api.nvim_list_wins()):find(function(window)
    return vim.api.nvim_win_get_config(window).relative ~= ''
  end)
end

local function work()
  local seen = {}
  until_there('a finding', function() return #vim.diagnostic.get(0) > 0 end)
  local found = vim.diagnostic.get(0)
  seen.found = vim.tbl_map(function(each)
    return { source = each.source, code = each.code, line = each.lnum + 1 }
  end, found)
  vim.api.nvim_win_set_cursor(0, { found[1].lnum + 1, found[1].col })

  vim.lsp.buf.hover()
  until_there('the hover', floating_window)
  local hover = vim.api.nvim_win_get_buf(floating_window())
  seen.hover = vim.api.nvim_buf_get_lines(hover, 0, -1, false)
  vim.api.nvim_win_close(floating_window(), true)

  seen.offered = {}
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      table.insert(seen.offered, action.title)
      return action.isPreferred
    end,
  })
  until_there('the fix', function() return vim.bo.modified end)
  seen.fixed = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  until_there('the end of the finding', function() return #vim.diagnostic.get(0) == 0 end)
  vim.fn.writefile({ vim.json.encode(seen) }, 'seen.json')
end

local is_done, why = pcall(work)
if is_done then vim.cmd('qall!') end
io.stderr:write(why)
vim.cmd('cquit!')
